# SPDX-License-Identifier: ISC

# The tasks of tasks.go, in R: primes and sorted words.  README.md says how the profile
# beside this file was made.

is_prime <- function(n) {
	i <- 2
	while (i * i <= n) {
		if (n %% i == 0)
			return(FALSE)
		i <- i + 1
	}
	n > 1
}

count_primes <- function(most) {
	count <- 0
	for (n in seq_len(most))
		count <- count + is_prime(n)
	count
}

words <- function(n) {
	all <- sapply(seq_len(n), function(i) paste0("w", i * 7919 %% 1000003))
	sort(all)[1]
}

run <- function(tasks)
	for (task in tasks)
		print(task())

run(list(function() count_primes(100000), function() words(200000)))
