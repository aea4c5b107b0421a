/* SPDX-License-Identifier: ISC */
#include "symbol/line_program.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/protobuf.h"

/* DWARF 5, tables 7.25, 7.26, 7.27 and 7.6. */
enum {
	LNS_extended, LNS_copy, LNS_advance_pc, LNS_advance_line, LNS_set_file,
	LNS_set_column, LNS_negate_stmt, LNS_set_basic_block, LNS_const_add_pc,
	LNS_fixed_advance_pc, LNS_set_prologue_end, LNS_set_epilogue_begin, LNS_set_isa,
	LNS_END,
	LNE_end_sequence = 1, LNE_set_address = 2, LNE_set_discriminator = 4,
	LNCT_path = 1, LNCT_directory_index = 2,
	FORM_data2 = 0x05, FORM_data4 = 0x06, FORM_data8 = 0x07, FORM_string = 0x08,
	FORM_data1 = 0x0b, FORM_strp = 0x0e, FORM_udata = 0x0f, FORM_data16 = 0x1e,
	FORM_line_strp = 0x1f,
};

/* The operands of the standard opcodes, from LNS_copy on. */
static const char operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };

/* The limits of libdw, which takes a program with larger numbers for malformed. */
#define MOST_COLUMN UINT16_MAX
#define MOST_ISA UINT8_MAX
#define MOST_DISCRIMINATOR 0xffffff

struct reader {
	const struct line_sections *from;
	const struct line_unit *unit;
	struct line_table *lines;
	const char *p, *end;
	bool wrong;		/* after an error all reads return 0 */
	unsigned version;
	unsigned offset_size;
	unsigned min_length;	/* of an instruction */
	int line_base;
	unsigned line_range, opcode_base;
	const char **dir;
	size_t ndir, capdir;
	/* The state machine. */
	uint64_t addr;
	uint32_t file;
	int64_t line;		/* has 32 bits */
	size_t first;		/* row of the sequence */
};

/* ---- numbers ---- */

static uint64_t
wrong(struct reader *r)
{
	r->wrong = true;
	r->p = r->end;
	return 0;
}

static uint64_t
take(struct reader *r, unsigned size)
{
	uint64_t v = 0;
	unsigned i;

	if ((size_t)(r->end - r->p) < size)
		return wrong(r);
	for (i = 0; i < size; i++)
		v = v << 8 | (unsigned char)r->p[r->from->big ? i : size - 1 - i];
	r->p += size;
	return v;
}

/* Takes an unsigned LEB128, which protocol buffers call a varint. */
static inline uint64_t
take_unsigned(struct reader *r, uint64_t most)
{
	uint64_t v;

	return pb_varint(&r->p, r->end, &v) && v <= most ? v : wrong(r);
}

/* Takes a signed one, of 32 bits. */
static inline int64_t
take_signed(struct reader *r)
{
	const char *start = r->p;
	uint64_t v, sign;
	int64_t n;

	if (!pb_varint(&r->p, r->end, &v) || r->p - start > 5)
		return (int64_t)wrong(r);
	sign = (uint64_t)1 << (7 * (r->p - start) - 1);
	n = (int64_t)(v ^ sign) - (int64_t)sign;
	return n == (int32_t)n ? n : (int64_t)wrong(r);
}

/* ---- names ---- */

static const char *
take_string(struct reader *r)
{
	const char *s = r->p, *nul = memchr(s, '\0', (size_t)(r->end - s));

	if (!nul) {
		wrong(r);
		return NULL;
	}
	r->p = nul + 1;
	return s;
}

static const char *
string_at(struct reader *r, struct text section, uint64_t offset)
{
	if (!section.s || offset >= section.n ||
	    !memchr(section.s + offset, '\0', section.n - offset)) {
		wrong(r);
		return NULL;
	}
	return section.s + offset;
}

/* An attribute of a directory or file: a string, a number, or something else. */
struct value {
	const char *s;
	bool has_n;
	uint64_t n;
};

static struct value
take_value(struct reader *r, uint64_t form)
{
#define STRING(from) (struct value){ .s = (from) }
#define NUMBER(from) (struct value){ .has_n = true, .n = (from) }
	switch (form) {
	case FORM_data1:
		return NUMBER(take(r, 1));
	case FORM_data2:
		return NUMBER(take(r, 2));
	case FORM_data4:
		return NUMBER(take(r, 4));
	case FORM_data8:
		return NUMBER(take(r, 8));
	case FORM_udata:
		return NUMBER(take_unsigned(r, UINT64_MAX));
	case FORM_string:
		return STRING(take_string(r));
	case FORM_line_strp:
		return STRING(string_at(r, r->from->line_str, take(r, r->offset_size)));
	case FORM_strp:
		return STRING(string_at(r, r->from->str, take(r, r->offset_size)));
	case FORM_data16:	/* a checksum */
		take(r, 8);
		take(r, 8);
		break;
	default:
		wrong(r);
	}
	return (struct value){ 0 };
#undef STRING
#undef NUMBER
}

static void
add_dir(struct reader *r, const char *dir)
{
	r->dir = mem_grow(r->dir, &r->capdir, r->ndir + 1, sizeof *r->dir);
	r->dir[r->ndir++] = dir;
}

static void
add_file(struct reader *r, const char *name, uint64_t dir)
{
	if (!name || dir >= r->ndir || r->lines->nfile >= LINE_MOST_FILES)
		wrong(r);
	else
		line_table_add_file(r->lines, (struct line_file){ r->dir[dir], name, dir == 0 });
}

/* ---- the header ---- */

/* A directory or file of DWARF 5. */
struct entry {
	struct value name, dir;
};

struct format {
	uint64_t type, form;
};

static struct entry
take_entry(struct reader *r, const struct format *format, unsigned n)
{
	struct entry e = { 0 };
	struct value v, *out;

	for (; n--; format++) {
		v = take_value(r, format->form);
		if (format->type != LNCT_path && format->type != LNCT_directory_index)
			continue;
		out = format->type == LNCT_path ? &e.name : &e.dir;
		if (out->s || out->has_n)	/* it occurs twice */
			wrong(r);
		*out = v;
	}
	return e;
}

/* Reads a table of DWARF 5: first the attributes of entries and their forms. */
enum table { TABLE_DIRS, TABLE_FILES };

static void
new_table(struct reader *r, enum table table)
{
	struct format format[UINT8_MAX];
	unsigned n = (unsigned)take(r, 1), i;
	struct entry e;
	uint64_t left;

	for (i = 0; i < n; i++) {
		format[i].type = take_unsigned(r, UINT16_MAX);
		format[i].form = take_unsigned(r, UINT16_MAX);
	}
	for (left = take_unsigned(r, UINT64_MAX); left && !r->wrong; left--) {
		e = take_entry(r, format, n);
		if (!e.name.s || (table == TABLE_FILES && !e.dir.has_n))
			wrong(r);
		else if (table == TABLE_DIRS)
			add_dir(r, e.name.s);
		else
			add_file(r, e.name.s, e.dir.n);
	}
}

/* Reads tables before DWARF 5, in which directory 0, where the compiler ran, is not listed,
 * and no file has number 0. */
static void
old_tables(struct reader *r)
{
	const char *name;
	uint64_t dir;

	add_dir(r, r->unit->comp_dir);
	while ((name = take_string(r)) && *name)
		add_dir(r, name);
	line_table_add_file(r->lines, (struct line_file){ .name = "???" });	/* as libdw */
	while ((name = take_string(r)) && *name) {
		dir = take_unsigned(r, UINT64_MAX);
		take_unsigned(r, UINT64_MAX);	/* its time */
		take_unsigned(r, UINT64_MAX);	/* and size */
		add_file(r, name, dir);
	}
}

static void
tables(struct reader *r)
{
	if (r->version < 5) {
		old_tables(r);
		return;
	}
	new_table(r, TABLE_DIRS);
	new_table(r, TABLE_FILES);
	if (!r->lines->nfile)
		wrong(r);
}

static void
opcodes(struct reader *r)
{
	unsigned i;

	r->min_length = (unsigned)take(r, 1);
	if (r->version >= 4 && take(r, 1) != 1)	/* operations per instruction */
		wrong(r);
	if (take(r, 1) > 1)	/* is_stmt */
		wrong(r);
	r->line_base = (signed char)take(r, 1);
	r->line_range = (unsigned)take(r, 1);
	r->opcode_base = (unsigned)take(r, 1);
	if (!r->line_range || r->opcode_base <= LNS_fixed_advance_pc ||
	    r->opcode_base > LNS_END)
		wrong(r);
	for (i = 1; i < r->opcode_base && !r->wrong; i++)
		if (take(r, 1) != (unsigned)operands[i - 1])
			wrong(r);
}

/* Narrows the reader to the next n bytes. */
static void
narrow(struct reader *r, uint64_t n)
{
	if (n > (size_t)(r->end - r->p))
		wrong(r);
	else
		r->end = r->p + n;
}

static bool
header(struct reader *r)
{
	const char *end;
	uint64_t length = take(r, 4);

	r->offset_size = length == UINT32_MAX ? 8 : 4;
	if (r->offset_size == 8)
		length = take(r, 8);
	narrow(r, length);
	r->version = (unsigned)take(r, 2);
	if (r->version < 2 || r->version > 5)
		wrong(r);
	if (r->version >= 5 && (take(r, 1) != r->unit->address_size || take(r, 1) != 0))
		wrong(r);
	length = take(r, r->offset_size);
	end = r->end;
	narrow(r, length);
	opcodes(r);
	tables(r);
	if (r->wrong || r->p != r->end)
		return false;
	r->end = end;
	return true;
}

/* ---- the program ---- */

static void
restart(struct reader *r)
{
	r->addr = 0;
	r->file = 1;
	r->line = 1;
	r->first = r->lines->n;
}

static inline void
add_row(struct reader *r, bool end)
{
	line_table_add(r->lines, (struct line_row){ r->addr, r->file & INT32_MAX, end,
	    (int32_t)r->line });
}

static inline void
advance_line(struct reader *r, int64_t n)
{
	r->line += n;
	if (r->line != (int32_t)r->line)
		r->line = (int64_t)wrong(r);
}

/* Advances the address, which may wrap: linkers put dropped code at -1. */
static inline void
advance(struct reader *r, uint64_t n)
{
	if (n > UINT32_MAX / UINT8_MAX)
		wrong(r);
	r->addr += n * r->min_length;
}

static void
end_sequence(struct reader *r)
{
	const struct line_unit *u = r->unit;
	struct line_table *l = r->lines;

	add_row(r, true);
	if (u->is_code && r->first < l->n && !u->is_code(u->arg, l->row[r->first].addr))
		l->n = r->first;
	restart(r);
}

static void
extended(struct reader *r)
{
	uint64_t n = take(r, 1);
	const char *start = r->p;

	if (n > INT8_MAX)	/* a number of several bytes */
		wrong(r);
	switch (take(r, 1)) {
	case LNE_end_sequence:
		end_sequence(r);
		break;
	case LNE_set_address:
		r->addr = take(r, r->unit->address_size);
		break;
	case LNE_set_discriminator:
		take_unsigned(r, MOST_DISCRIMINATOR);
		break;
	default:
		wrong(r);
	}
	if (r->p - start != (ptrdiff_t)n)
		wrong(r);
}

static inline void
standard(struct reader *r, unsigned opcode)
{
	switch (opcode) {
	case LNS_extended:
		extended(r);
		break;
	case LNS_copy:
		add_row(r, false);
		break;
	case LNS_advance_pc:
		advance(r, take_unsigned(r, UINT32_MAX));
		break;
	case LNS_advance_line:
		advance_line(r, take_signed(r));
		break;
	case LNS_set_file:
		r->file = (uint32_t)take_unsigned(r, LINE_MOST_FILES);
		break;
	case LNS_set_column:
		take_unsigned(r, MOST_COLUMN);
		break;
	case LNS_const_add_pc:
		advance(r, (UINT8_MAX - r->opcode_base) / r->line_range);
		break;
	case LNS_fixed_advance_pc:
		r->addr += take(r, 2);
		break;
	case LNS_set_isa:
		take_unsigned(r, MOST_ISA);
		break;
	default:		/* operations on flags */
		break;
	}
}

static void
run(struct reader *r)
{
	restart(r);
	while (r->p < r->end) {
		unsigned opcode = (unsigned char)*r->p++;

		if (opcode < r->opcode_base) {
			standard(r, opcode);
			continue;
		}
		opcode -= r->opcode_base;
		advance_line(r, r->line_base + (int)(opcode % r->line_range));
		advance(r, opcode / r->line_range);
		add_row(r, false);
	}
}

bool
line_program_read(const struct line_sections *from, const struct line_unit *unit,
    struct line_table *lines)
{
	struct reader r = { .from = from, .unit = unit, .lines = lines };

	if (!from->line.s || unit->offset >= from->line.n ||
	    (unit->address_size != 4 && unit->address_size != 8))
		return false;
	r.p = from->line.s + unit->offset;
	r.end = from->line.s + from->line.n;
	if (header(&r))
		run(&r);
	else
		wrong(&r);
	free(r.dir);
	if (r.wrong)
		line_table_free(lines);
	else
		line_table_sort(lines);
	return !r.wrong;
}
