#!/bin/sh
# page.sh ROOT: cmake/embed.cmake joins a page whose parts contain all syntax of CMake (lists,
# references, quotes, regular expressions), and leaves only @JSON@ to fill.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
odd=$folder/odd
cat >"$odd" <<'END'
"${X} $ENV{HOME} @X@ @JSON@ \" \\ \; ;;"; [1, [2]; ]] ]=] [=[ #[[ \n \1 \0 `${a}` {}()<>'$&
;a;b\\;c
@b.js@
  import x;

é 	|^.*+?$
END
printf '\342\200\250\001\377\134' >>"$odd"
{ printf 'a{}\\;' && cat "$odd" && echo; } >"$folder/style.css"
{
    printf 'import {\n  a, b } from "./b.js";\nimport "./c.js";\n// first\nexport function f() {}\n'
    cat "$odd"
} >"$folder/a.js"
{ echo 'export const exported = 1;' && cat "$odd" && printf '\n\n'; } >"$folder/b.js"
: >"$folder/empty.js"
cat >"$folder/page.html" <<'END'
<style>
@style.css@
</style> @a.js@
@JSON@
@a.js@
@b.js@
@empty.js@
</html>
END
{
    printf '<style>\na{}\\;' && cat "$odd"
    printf '\n</style> @a.js@\n@JSON@\n// first\nfunction f() {}\n' && cat "$odd"
    printf '\nconst exported = 1;\n' && cat "$odd" && printf '\n\n</html>\n'
} >"$folder/want"
cmake -DFOLDER="$folder" -DOUT="$folder/out" -P "$1/cmake/embed.cmake"
cmp "$folder/want" "$folder/out.html"
for page in page explore; do
    cmake -DFOLDER="$1/page" -DPAGE=$page -DOUT="$folder/$page" -P "$1/cmake/embed.cmake"
    grep -nE '^(import|export) |^@[a-z_]+\.(css|js)@$' "$folder/$page.html" && exit 1
    [ "$(grep -c '@JSON@' "$folder/$page.html")" = 1 ]
done
