/* SPDX-License-Identifier: ISC */
#include "symbol/kernel.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "symbol/build_files.h"
#include "symbol/symbol_lists.h"

#define NOTES "/sys/kernel/notes"	/* of the running kernel, as in its ELF file */
#define NT_GNU_BUILD_ID 3

static uint32_t
word(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static size_t
padded(uint32_t n)
{
	return ((size_t)n + 3) & ~(size_t)3;
}

/* Adds the build ID among notes.  Each note has the sizes of its name and its contents, and
 * a type. */
static bool
find_build_id(struct buf *id, const char *p, size_t n)
{
	while (n >= 12) {
		const size_t name = padded(word(p)), says = padded(word(p + 4));
		const size_t all = 12 + name + says;
		uint32_t i;

		if (all > n)
			return false;
		if (word(p) == 4 && word(p + 8) == NT_GNU_BUILD_ID &&
		    memcmp(p + 12, "GNU", 4) == 0) {
			for (i = 0; i < word(p + 4); i++)
				buf_printf(id, "%02x", (unsigned char)p[12 + name + i]);
			return true;
		}
		p += all;
		n -= all;
	}
	return false;
}

static bool
is_running(struct text build_id)
{
	struct buf notes = { 0 }, id = { 0 };
	const int fd = open(NOTES, O_RDONLY | O_CLOEXEC);
	const bool is = fd >= 0 && buf_read(&notes, fd, 1 << 16) &&
	    find_build_id(&id, buf_str(&notes), notes.n) && text_eq(buf_as_text(&id), build_id);

	if (fd >= 0)
		close(fd);
	buf_free(&notes);
	buf_free(&id);
	return is;
}

#define LIST_BEGIN 65536	/* bytes of a list, in which a kernel's first symbols are */

/* Has a list, near its beginning, the symbol at its address? */
static bool
has_symbol(const char *list, struct text name, uint64_t addr)
{
	struct buf begin = { 0 }, line = { 0 };
	const int fd = open(list, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, buf_room(&begin, LIST_BEGIN), LIST_BEGIN);
	const char *types = "Tt";
	bool has = false;

	for (; n > 0 && !has && *types; types++) {
		line.n = 0;
		buf_printf(&line, "%016" PRIx64 " %c %.*s\n", addr, *types, (int)name.n, name.s);
		has = memmem(begin.s, (size_t)n, line.s, line.n);
	}
	if (fd >= 0)
		close(fd);
	buf_free(&begin);
	buf_free(&line);
	return has;
}

/* Is there a copy of the list that is as good as the kernel's own? */
static bool
find_copy(struct buf *path, const struct executables *x, const struct kernel_facts *k)
{
	return k->addr && k->name.n && build_files_find(path, x->sysroot, k->build_id,
	    BUILD_KALLSYMS) && has_symbol(buf_str(path), k->name, k->addr);
}

bool
kernel_find_list(struct buf *path, const struct executables *x, const struct kernel_facts *k,
    bool module)
{
	const char *list = x->kallsyms ? x->kallsyms : k->kept;

	if (!list && !module && find_copy(path, x, k))
		return true;
	if (!list && !(k->build_id.n ? is_running(k->build_id) : k->here))
		return build_files_find(path, x->sysroot, k->build_id, BUILD_KALLSYMS);
	path->n = 0;
	buf_puts(path, list ? list : "/proc/kallsyms");
	return true;
}

/* Adds "ext4" of "[ext4]" or ".../ext4.ko.xz", with the list's '_' for '-'; nothing for the
 * kernel. */
static void
add_module(struct buf *module, struct text object)
{
	struct text base = text_base_name(object);
	const char *dot;
	size_t i;

	if (object.n > 8 && memcmp(object.s, "[kernel.", 8) == 0)
		return;
	if (base.n && *base.s == '[') {
		buf_text(module, base);
		return;
	}
	if (!(dot = memmem(base.s, base.n, ".ko", 3)))
		return;
	buf_putc(module, '[');
	for (i = 0; base.s + i < dot; i++)
		buf_putc(module, base.s[i] == '-' ? '_' : base.s[i]);
	buf_putc(module, ']');
}

bool
kernel_is_module(struct text object)
{
	struct buf module = { 0 };
	bool is;

	add_module(&module, object);
	is = module.n;
	buf_free(&module);
	return is;
}

struct symbols *
kernel_symbols(struct executables *x, const char *list, struct text object, struct diag *d)
{
	struct buf module = { 0 };
	struct symbols *s;

	add_module(&module, object);
	s = symbols_kallsyms(x, list, module.n ? buf_str(&module) : NULL, d);
	buf_free(&module);
	return s;
}

/* ---- [vdso] ---- */

#define VDSO_PAGES 2		/* the most that Linux has had on any machine */

/* Copies it to a file without a name, which is opened like any other: it is an ELF file in
 * memory. */
static int
copy_vdso(void)
{
#ifdef __linux__
	const void *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	const size_t size = VDSO_PAGES * (size_t)sysconf(_SC_PAGESIZE);
	const int fd = vdso ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	ssize_t n = 0, r = 1;

	/* write() of memory that is not mapped fails, or ends there. */
	while (fd >= 0 && (size_t)n < size && (r = write(fd, (const char *)vdso + n,
	    size - (size_t)n)) > 0)
		n += r;
	if (fd >= 0 && n == 0) {
		close(fd);
		return -1;
	}
	return fd;
#else
	return -1;
#endif
}

static struct symbols *
open_vdso(struct executables *x, const char *path, struct text build_id)
{
	struct buf id = { 0 };
	struct diag quiet = { 0 };
	struct symbols *s = symbols_open(x, path, &quiet);

	if (s && !(symbols_build_id(s, &id) && text_eq(buf_as_text(&id), build_id))) {
		symbols_free(s);
		s = NULL;
	}
	buf_free(&id);
	buf_free(&quiet.error);
	return s;
}

struct symbols *
kernel_vdso(struct executables *x, struct text build_id)
{
	struct buf path = { 0 };
	struct symbols *s = NULL;
	const int fd = build_id.n ? copy_vdso() : -1;

	if (fd >= 0) {
		buf_printf(&path, "/proc/self/fd/%d", fd);
		s = open_vdso(x, buf_str(&path), build_id);
		close(fd);
	}
	if (!s && build_files_find(&path, x->sysroot, build_id, BUILD_VDSO))
		s = open_vdso(x, buf_str(&path), build_id);
	buf_free(&path);
	return s;
}
