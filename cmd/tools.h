/* SPDX-License-Identifier: ISC */
/* The tools.  Each runs like a main(), with its own name as argv[0], and is called once in
 * a process. */
#ifndef PROF_TOOLS_H
#define PROF_TOOLS_H

int prof_annotate(int argc, char **argv);
int prof_cat(int argc, char **argv);
int prof_diff(int argc, char **argv);
int prof_grep(int argc, char **argv);
int prof_merge(int argc, char **argv);
int prof_to(int argc, char **argv);
int prof_top(int argc, char **argv);
int prof_report(int argc, char **argv);
int prof_tree(int argc, char **argv);
int prof_view(int argc, char **argv);

#endif
