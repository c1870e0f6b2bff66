#!/bin/sh
# All states of a model on one machine, on disk in place of memory, with `orbit expand`, sort and comm.
#
#     sh sort.sh [--jobs N] [--continue] FOLDER MODEL [options of orbit expand]
#
# FOLDER gets the states of each level in a sorted file. A search that was ended goes on from its last whole level; a file
# there that is not as it was written, as after a crash of the machine, ends it with 2.
# It stops at the first level with a violation, unless it is to continue, and prints a run to it.
# ORBIT names the command if it is not `orbit`. The exit codes are those of `orbit explore`.
set -eu
LC_ALL=C
export LC_ALL

jobs=$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)
goes_on=no
while :; do
    case ${1-} in
        --jobs) jobs=$2; shift 2 ;;
        --continue) goes_on=yes; shift ;;
        *) break ;;
    esac
done
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1 model=$2
shift 2
mkdir -p "$folder"
work=$(mktemp -d "$folder/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
file() { printf '%s/%s-%06d' "$folder" "$1" "$2"; }

# Puts a file in its place once it is on the disk, with its checksum beside it.
keep() {
    cksum < "$1" > "$1.sum"
    sync "$1" "$1.sum"
    mv "$1.sum" "$(file "sum-$2" "$3")"
    mv "$1" "$(file "$2" "$3")"
}
check() {
    { cksum < "$(file "$1" "$2")" | cmp -s - "$(file "sum-$1" "$2")"; } 2> /dev/null && return
    echo "sort.sh: $(file "$1" "$2") is not as it was written" >&2
    exit 2
}
# The verdicts of the levels before this one, which are gathered, and the states up to it.
check_to() {
    checked=0
    : > "$work/all-verdicts"
    while [ $checked -lt "$1" ]; do
        check level $checked
        check verdicts $checked
        cat "$(file verdicts $checked)" >> "$work/all-verdicts"
        checked=$((checked + 1))
    done
    check level "$1"
}

# From here on the arguments are those of each call. States of another model or version end it with 2.
set -- expand "$model" "$@"
filter() { ${ORBIT:-orbit} "$@" --quiet; }
if [ -e "$folder/identity" ]; then
    set -- "$@" --expect "$(cat "$folder/identity")"
    filter "$@" --identity > "$work/identity"
else
    filter "$@" --identity > "$work/identity"
    mv "$work/identity" "$folder/identity"
    set -- "$@" --expect "$(cat "$folder/identity")"
fi

# A level is expanded once its verdicts are there; the states of the next level are there before.
level=0
while [ -e "$(file verdicts $level)" ]; do level=$((level + 1)); done
if [ ! -e "$(file level 0)" ]; then
    filter "$@" --initial --verdicts "$work/verdicts" > "$work/initial"
    sort -u "$work/initial" > "$work/next"
    keep "$work/next" level 0
fi
check_to $level
: > "$work/seen"
known=0
while [ $known -le $level ]; do
    sort -m "$work/seen" "$(file level $known)" > "$work/more"
    mv "$work/more" "$work/seen"
    known=$((known + 1))
done

expand_part() {
    part=$1
    shift
    { filter "$@" --verdicts "$part.verdicts" < "$part" || echo $? > "$part.failed"; } |
        sort -u > "$part.next" || echo 2 > "$part.failed"
}

while [ -s "$(file level $level)" ]; do
    if [ $goes_on = no ] && [ $level -gt 0 ] && grep -q '^!' "$(file verdicts $((level - 1)))"; then break; fi
    rm -f "$work"/part*
    awk -v jobs="$jobs" -v part="$work/part" '{ print > (part NR % jobs) }' "$(file level $level)"
    for part in "$work"/part*; do expand_part "$part" "$@" & done
    wait
    for failed in "$work"/part*.failed; do [ ! -e "$failed" ] || exit "$(cat "$failed")"; done
    # A filter that has not come to its end has not written how many states it has read.
    cat "$work"/part*.verdicts > "$work/verdicts"
    read=$(awk '/^#/ { read += $2 } END { print read + 0 }' "$work/verdicts")
    [ "$read" -eq "$(wc -l < "$(file level $level)")" ] || { echo 'sort.sh: some states were not read' >&2; exit 2; }
    sort -m -u "$work"/part*.next > "$work/union"
    comm -23 "$work/union" "$work/seen" > "$work/next"
    sort -m "$work/seen" "$work/next" > "$work/more"
    mv "$work/more" "$work/seen"
    keep "$work/next" level $((level + 1))
    keep "$work/verdicts" verdicts $level
    level=$((level + 1))
done
check_to $level

depth=$((level - 1))
[ ! -s "$(file level $level)" ] || depth=$level
awk -v states="$(wc -l < "$work/seen")" -v depth=$depth '
    /^#/ { transitions += $4 }
    END { printf "%.0f states, %.0f transitions, depth %d\n", states, transitions, depth }' "$work/all-verdicts"
grep -q '^!' "$work/all-verdicts" || exit 0

# Backward from the first violation, a level at a time.
level=0
until grep '^!' "$(file verdicts $level)" > "$work/violations"; do level=$((level + 1)); done
sed -n '1s/.* //p' "$work/violations" > "$work/path"
while [ $level -gt 0 ]; do
    level=$((level - 1))
    filter "$@" --towards "$(sed q "$work/path")" --verdicts "$work/verdicts" < "$(file level $level)" > "$work/before"
    sed q "$work/before" | cat - "$work/path" > "$work/longer"
    mv "$work/longer" "$work/path"
done
# The run may show the image of a fault, at a place that symmetries exchange with that in the state.
code=0
${ORBIT:-orbit} "$@" --run < "$work/path" > "$work/run" || code=$?
place=$(sed -n 's/^violated: .*[^0-9]\([0-9]*:[0-9]*\)$/\1/p' "$work/run")
sed "1s/ [0-9]*:[0-9]* / ${place:-&} /;q" "$work/violations"
cat "$work/run"
exit $code
