#!/bin/sh
# run.sh PENUMBRA SESSION [--update] - run the commands of a session and compare their output with the session.
#
# In a session, lines that begin with two blanks are a shell session, and other lines are remarks:
#
#     "  $ command"    runs; its further lines begin with "  > "; commands share variables, functions and the folder
#     "  text"         is its standard output
#     "  ! text"       is its standard error
#     "  [2]"          is its exit status, unless 0
#
#     "needs: command" skips the session (status 77) if the command fails
#
# The time of a line "tried", and the version, are written as "..".
# Sessions run in an empty folder, with `penumbra` in PATH and the functions of data.sh. --update writes the output into the session.
session_here=$(cd "$(dirname "$0")" && pwd) || exit 2
session_binary=$1
session_file=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
session_update=${3-}
session_work=$(mktemp -d) || exit 2
trap 'rm -rf "$session_work"' EXIT
mkdir "$session_work/bin" "$session_work/folder"
ln -s "$(cd "$(dirname "$session_binary")" && pwd)/$(basename "$session_binary")" "$session_work/bin/penumbra"
: >"$session_work/actual"

EXAMPLES=$(cd "$session_here/../../examples/data" && pwd)
PATH=$session_work/bin:$PATH
LC_ALL=C
export EXAMPLES PATH LC_ALL
. "$session_here/data.sh"

# Times differ from run to run, versions from release to release.
session_same='s/^\(tried .* in \)[0-9.]* s;/\1.. s;/
s/\("penumbra":"\|^penumbra \|this version (\)[0-9][0-9.]*/\1../'

run_command() {
    eval "$session_command" >"$session_work/out" 2>"$session_work/err" </dev/null 3<&-
    session_status=$?
    {
        sed -e "$session_same" -e 's/^/  /' "$session_work/out"
        sed -e "$session_same" -e 's/^/  ! /' "$session_work/err"
        [ "$session_status" -eq 0 ] || echo "  [$session_status]"
    } >>"$session_work/actual"
    session_command=
}

# A command ends before the first line that does not continue it.
session_command=
exec 3<"$session_file"
session_text=$session_work/session
cp "$session_file" "$session_text"
cd "$session_work/folder" || exit 2
while IFS= read -r session_line <&3; do
    case $session_line in
    '  > '*)
        session_command="$session_command
${session_line#  > }"
        printf '%s\n' "$session_line" >>"$session_work/actual"
        continue
        ;;
    esac
    [ -z "$session_command" ] || run_command
    case $session_line in
    '  $ '*)
        session_command=${session_line#  \$ }
        printf '%s\n' "$session_line" >>"$session_work/actual"
        ;;
    '  '*) ;;
    'needs: '*)
        (eval "${session_line#needs: }") >/dev/null 2>&1 </dev/null || exit 77
        printf '%s\n' "$session_line" >>"$session_work/actual"
        ;;
    *) printf '%s\n' "$session_line" >>"$session_work/actual" ;;
    esac
done
[ -z "$session_command" ] || run_command

cd / || exit 2
if [ "$session_update" = --update ]; then
    cat "$session_work/actual" >"$session_file"
else
    diff -u "$session_text" "$session_work/actual"
fi
