/* SPDX-License-Identifier: ISC */
/* Its lines become costs of other functions: fi= and fe= in a profile. */
static inline __attribute__((always_inline)) unsigned
mix(unsigned h, unsigned v)
{
	h ^= v;
	h *= 16777619;
	return h;
}
