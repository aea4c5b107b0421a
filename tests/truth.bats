#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# Generated programs of which every answer is known: tests/truth/run.

load helper.bash

@test "what is printed of generated programs is true" {
	"$repo/tests/truth/run" --bin "$PROF_BIN" --keep "$PWD/found"
}
