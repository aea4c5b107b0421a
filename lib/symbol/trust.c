/* SPDX-License-Identifier: ISC */
#include "symbol/trust.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_MOST ((off_t)256 << 20)	/* bytes */

bool
trust_is_below(const char *path, const char *dir)
{
	const size_t n = strcmp(dir, "/") != 0 ? strlen(dir) : 0;	/* it ends in a slash */

	return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* Is it a file of the kernel, generated when it is read, or a device? */
static bool
is_of_kernel(const char *path)
{
	static const char *const dir[] = { "/proc", "/sys", "/dev" };
	size_t i;

	for (i = 0; i < sizeof dir / sizeof *dir; i++)
		if (trust_is_below(path, dir[i]))
			return true;
	return false;
}

static bool
is_below_here(const char *path)
{
	char here[PATH_MAX];

	return getcwd(here, sizeof here) && strcmp(here, "/") != 0 && trust_is_below(path, here) &&
	    !strstr(path + strlen(here), "/.");
}

/* May every user read it?  Then all directories above it can also be searched. */
static bool
is_public(const char *path)
{
	char dir[PATH_MAX];
	struct stat st;
	char *slash;

	strcpy(dir, path);
	if (stat(dir, &st) < 0 || !(st.st_mode & S_IROTH))
		return false;
	while ((slash = strrchr(dir, '/')) && slash > dir) {
		*slash = '\0';
		if (stat(dir, &st) < 0 || !(st.st_mode & S_IXOTH))
			return false;
	}
	return true;
}

enum trust
trust_of(const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	if (!realpath(path, real) || is_of_kernel(real) || stat(real, &st) < 0 ||
	    !S_ISREG(st.st_mode) || (st.st_uid != geteuid() && st.st_uid != 0))
		return TRUST_NONE;
	return is_below_here(real) || is_public(real) ? TRUST_ALL : TRUST_BUILD;
}

bool
trust_is_own(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= OWN_MOST &&
	    (st.st_uid == geteuid() || st.st_uid == 0);
}

/* Is it below a directory in one that a variable of the environment names? */
static bool
is_below_variable(const char *real, const char *variable, const char *dir)
{
	const char *home = getenv(variable);
	char path[PATH_MAX], base[PATH_MAX];

	return home && snprintf(path, sizeof path, "%s%s", home, dir) < (int)sizeof path &&
	    realpath(path, base) && trust_is_below(real, base);
}

bool
trust_is_dump(const char *path)
{
	char real[PATH_MAX];

	if (!trust_is_own(path) || !realpath(path, real) || trust_of(real) == TRUST_NONE)
		return false;
	return trust_of(real) == TRUST_ALL ||
	    (trust_is_below(real, "/tmp") && !strchr(real + strlen("/tmp/"), '/')) ||
	    is_below_variable(real, "JITDUMPDIR", "/.debug/jit") ||
	    is_below_variable(real, "HOME", "/.debug/jit");
}
