/* SPDX-License-Identifier: ISC */
/*
 * Members of JSON objects.  A comma comes before a member or item that is not the first.
 */
#ifndef PROF_REPORT_JSON_MEMBERS_H
#define PROF_REPORT_JSON_MEMBERS_H

#include "view/sort.h"

/* Adds what goes before the value of a member: its name; and before an item of an array. */
void json_member(struct buf *b, const char *key);
void json_item(struct buf *b);

/* Add a member: */
void json_text_member(struct buf *b, const char *key, struct text t);	/* absent: null */
void json_bool_member(struct buf *b, const char *key, bool is);
void json_num_member(struct buf *b, const char *key, num n);
void json_value_member(struct buf *b, const char *key, struct value v);
/* n, if it is known; otherwise null. */
void json_known_member(struct buf *b, const char *key, bool known, num n);
/* A share in percent of a total, a change in percent of the old cost: with two decimals, as
 * in tables; null if there is none, as for what is new or gone. */
void json_share_member(struct buf *b, const char *key, struct value v, num total);
void json_change_member(struct buf *b, const char *key, num old, num change);
/* A number with so many decimals. */
void json_rounded_member(struct buf *b, const char *key, double v, int decimals);

/* Begin a member that is an array; an item that is an object; the same for a member of the
 * whole, which has a line for each of its objects.  All are closed by hand. */
void json_array(struct buf *b, const char *key);
void json_object(struct buf *b);
void json_rows(struct buf *b, const char *key);
void json_row(struct buf *b);

#endif
