/* SPDX-License-Identifier: ISC */
/*
 * elfutils, for the files that read ELF and DWARF, and for nobody else: its functions are
 * called by pointers, as libdw.dwfl_begin(), once elfutils_load() has succeeded.
 */
#ifndef PROF_SYMBOL_ELFUTILS_H
#define PROF_SYMBOL_ELFUTILS_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <elfutils/version.h>
#include <gelf.h>

#include "util/library.h"

#define LIBDW(F) \
	F(dwarf_attr) F(dwarf_attr_integrate) F(dwarf_cfi_addrframe) F(dwarf_child) \
	F(dwarf_cu_getdwarf) F(dwarf_cu_info) F(dwarf_diecu) F(dwarf_dieoffset) F(dwarf_filesrc) \
	F(dwarf_formref_die) F(dwarf_formstring) F(dwarf_formudata) F(dwarf_frame_cfa) \
	F(dwarf_frame_info) F(dwarf_frame_register) F(dwarf_get_units) F(dwarf_getelf) \
	F(dwarf_getsrcfiles) F(dwarf_getsrclines) F(dwarf_haspc) F(dwarf_line_file) \
	F(dwarf_lineaddr) F(dwarf_lineendsequence) F(dwarf_lineno) \
	F(dwarf_new_oom_handler) F(dwarf_offdie) F(dwarf_onesrcline) \
	F(dwarf_ranges) F(dwarf_siblingof) F(dwarf_tag) F(dwfl_begin) \
	F(dwfl_build_id_find_elf) F(dwfl_end) \
	F(dwfl_errmsg) F(dwfl_module_build_id) F(dwfl_module_dwarf_cfi) \
	F(dwfl_module_eh_cfi) F(dwfl_module_getdwarf) \
	F(dwfl_module_getelf) F(dwfl_module_getsym_info) F(dwfl_module_getsymtab) \
	F(dwfl_module_info) F(dwfl_offline_section_address) F(dwfl_report_elf) \
	F(dwfl_report_end) F(dwfl_standard_find_debuginfo)

#define LIBELF(F) \
	F(elf_getdata) F(elf_getident) F(elf_getphdrnum) F(elf_getscn) \
	F(elf_getshdrstrndx) F(elf_nextscn) F(elf_rawfile) F(elf_strptr) \
	F(gelf_getehdr) F(gelf_getphdr) F(gelf_getrela) F(gelf_getshdr) \
	F(gelf_getsym)

LIBRARY_TYPE(libdw, LIBDW);
LIBRARY_TYPE(libelf, LIBELF);

extern struct libdw_functions libdw;
extern struct libelf_functions libelf;

/* NULL, or why it cannot be loaded, as library_load(). */
const char *elfutils_load(void);

#endif
