# SPDX-License-Identifier: ISC
# Completion of prof, prof-annotate, prof-cat, prof-grep, prof-merge, prof-diff, prof-to,
# prof-top, prof-tree, prof-view and prof-report for fish, which looks for a file of each one's name: this one
# is installed under all.
# What can be completed is what the programs say that they have.

# Those of $argv that are files, but for those that an option writes or that are no
# profile.
function __prof_files
    set -l before -o
    for word in $argv
        set -l file $word
        # Of what the shell expands, that which runs no command.
        switch $word
            case '~/*'
                set file $HOME(string sub -s 2 -- $word)
            case '$*'
                set -l part (string match -r -- '^\$(\w+)(.*)' $word)
                and set file $$part[2]$part[3]
        end
        contains -- "$before" -o --output -f --file --rules --check-rules --syms --kallsyms
        or not test -f "$file"
        or echo -- $file
        set before $word
    end
end

# The records $argv[1] of the profiles on the line, of those further up the pipeline,
# or of the newest one here.
function __prof_records
    set -l words (commandline -op)
    set words[(math (count (commandline -opc)) + 1)] ''
    set -l files (__prof_files $words)
    set -q files[1]; or set files (__prof_files (commandline -ojc))
    if not set -q files[1]
        set -l names (prof-cat --list-formats 2>/dev/null | cut -f 4 | string split -n ' ')
        set names $names $names.zst $names.gz
        for f in *
            if string match -qr -- (string join '|' (string escape --style=regex -- $names |
                    string replace -a '\\*' '.*' | string replace -r '(.*)' '^$1\$')) $f
                and test -f $f; and begin not set -q files[1]; or test $f -nt $files[1]; end
                set files $f
            end
        end
    end
    # Of the newest few that are called otherwise, the first that is one.
    set -q files[1]; or for f in (command ls -t 2>/dev/null | head -n 20)
        test -f "$f"; and prof-cat --probe -- $f >/dev/null 2>&1
        and set files $f; and break
    end
    set -q files[1]; or return
    # Nobody waits for a large profile: what has been read until then will do.
    # There are systems without timeout.
    set -l cat prof-cat
    type -q timeout; and set cat timeout 0.3 prof-cat
    # A line that was cut has no six fields, nor does another line follow it.  A
    # comma ends the value of a fact.
    $cat --lenient -- $files 2>/dev/null | head -c 32000000 2>/dev/null | switch $argv[1]
        case event
            awk -F '\t' '$1 == "event" && NF > 3 { print $3 }
                $1 ~ /^(cost|call|jump|sample|point|vprof|raw|total|end)$/ { exit }'
        case func
            awk -F '\t' '/^func\t/ && NF >= 6 && !seen[$3]++ { print $3 }'
        case meta
            awk -F '\t' 'facts { printf "%s", facts; facts = "" }
                /^meta\t/ { for (i = 3; i <= NF; i++)
                    if ($i != "-" && $i !~ /,/ && !seen[$2, $i]++)
                        facts = facts $2 "=" $i "\n" }'
        # What needs an escape can hardly be typed, but for a backslash.
    end | sed 's/\\\\\\\\/\
/g; /\\\\/d; s/\n/\\\\/g; /^$/d'
end

# The argument at the cursor, without the option before it.
function __prof_argument
    string replace -r -- '^(--[a-z-]+=|-[a-zA-Z](?=.))' '' (commandline -ot)
end

# Names of functions; where they are regular expressions, as such.  Of many thousands
# fish itself would be long in finding some.
function __prof_functions
    set -l special '[[\\\\^$*+?(){|]'
    string match -qr -- '^(--fixed-strings|-[^-]*F.*)$' (commandline -op)
    and set special '^$'
    set -l word (__prof_argument)
    __prof_records func | sed "s/$special/\\\\&/g" | LC_ALL=C command grep -iF -- "$word"
end

# The same for the operand of prof-grep: names that begin with "-" only behind "--",
# which is offered in their place.
function __prof_pattern
    if contains -- -- (commandline -opc)
        __prof_functions
    else
        __prof_functions | string replace -r -- '^-.*' -- | awk '$0 != "--" || !dashes++'
    end
end

# The formats whose second column has $argv[1].
function __prof_formats
    prof-cat --list-formats 2>/dev/null |
        awk -F '\t' -v OFS='\t' -v what=$argv[1] '$2 ~ what { print $1, $3 }'
end

# $argv[2..], behind what the argument at the cursor has up to the last $argv[1].
function __prof_last
    set -l before (string match -r -- '^.*'$argv[1] (__prof_argument))
    for word in $argv[2..]
        echo -- "$before$word"
    end
end

# Of a list, or a formula, the last name: $argv, or an event.
function __prof_list
    set -q argv[1]; or set argv (__prof_records event)
    set -l have (string match -r -- '^.*,' (__prof_argument) | string split ,)
    set -l words
    for word in $argv
        contains -- $word $have; or set -a words $word
    end
    __prof_last '[^A-Za-z0-9_.]' $words
end

# The rules that are installed, and what may be a file of them.
function __prof_rules
    prof-grep --list-rules 2>/dev/null | cut -f 1,3
    set -l dir (string replace -r '[^/]*$' '' -- (__prof_argument))
    for file in $dir*.yaml $dir*.yml $dir*/
        echo -- $file
    end
end

# The same of columns: $argv, and events.
function __prof_columns
    __prof_list $argv (__prof_records event | sed 'p; s/$/.incl/')
end

# How many operands stand before the cursor, but for the arguments of options.
function __prof_operands
    set -l words (commandline -opc)
    set -l with ($words[1] --list-options 2>/dev/null |
        awk -F '\t' '$3 != "" && $3 !~ /^=/ { print $1; if ($2) print $2 }')
    set -l n 0
    set -l before
    set -l ended
    for word in $words[2..]
        if contains -- "$before" $with
            set before
            continue
        else if set -q ended[1]; or not string match -q -- '-?*' $word
            set n (math $n + 1)
        else if test $word = --
            set ended yes
        end
        set before $word
    end
    echo $n
end

# Is the pattern of prof-grep at the cursor?  Some options say what to keep instead.
function __prof_is_pattern
    test (__prof_operands) = 0
    and not string match -qr -- '^(-[^-]*[ef].*|--(regexp|file|where|events|rules)(=.*)?)$' \
        (commandline -opc)
end

function __prof_options
    set -l cmd $argv[1]
    $cmd --list-options 2>/dev/null | while read -l -d \t long letter arg help choices
        set -l option -c $cmd -l (string sub -s 3 -- $long) -d $help
        test -n "$letter"; and set -a option -s (string sub -s 2 -- $letter)
        set choices (string replace -a '|' ' ' -- $choices)
        switch $arg
            case ''
                complete $option
            case '=*'
                complete $option -f -a "$choices"
            case 'COL*'
                complete $option -x -a "(__prof_columns $choices)"
            case '*LIST*'
                complete $option -x -a "(__prof_list $choices)"
            case KEY=VALUE
                complete $option -x -a "(__prof_last , (__prof_records meta))"
            case FILE
                complete $option -r -F
            case DIR
                complete $option -x -a '(__fish_complete_directories)'
            case 'FILE|NAME'
                complete $option -x -a '(__prof_rules)'
            case FORMAT
                complete $option -x -a '(__prof_formats read)'
            case RE PATTERN
                complete $option -x -a '(__prof_functions)'
            case '*'
                complete $option -x -a "$choices"
        end
    end
end

# prof TOOL ... is completed as prof-TOOL ...
function __prof_of_tool
    set -l words (commandline -opc)
    set -l rest (string escape -- $words[3..] | string join ' ')
    complete -C "prof-$words[2] $rest "(commandline -ct)
end

complete -e -c prof
complete -c prof -f -n 'test (count (commandline -opc)) = 1' \
    -a "(prof --help | string match -r '^  .*' | string replace -r '^  (\S+) +' '\$1\t')"
complete -c prof -n 'test (count (commandline -opc)) -gt 1' -a '(__prof_of_tool)'

for cmd in prof-annotate prof-cat prof-grep prof-merge prof-diff prof-to prof-top prof-tree prof-view prof-report
    complete -e -c $cmd # another file may have been read
    __prof_options $cmd
end
complete -c prof-to -f -n 'test (__prof_operands) = 0' -a '(__prof_formats write)'
complete -c prof-grep -f -n __prof_is_pattern -a '(__prof_pattern)'
