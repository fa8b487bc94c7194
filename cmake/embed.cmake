# cmake -DFOLDER=... -DOUT=... [-DPAGE=...] -P embed.cmake: join PAGE.html of FOLDER, or page.html,
# and its parts to OUT.html. OUT.c holds page.html and a NUL as the unsigned char array page_html.
# A line @NAME.css@ or @NAME.js@ is replaced by that file without `import` statements and leading
# `export`, so that all files form one module. Quoted texts keep every byte of a part.
if(NOT PAGE)
    set(PAGE page)
    set(of_command 1)
endif()
file(READ ${FOLDER}/${PAGE}.html rest)
set(page "")
while(rest MATCHES "\n@([a-z_]+\\.(css|js))@\n")
    set(place "${CMAKE_MATCH_0}")
    file(READ ${FOLDER}/${CMAKE_MATCH_1} part)
    string(FIND "${rest}" "${place}" at)
    string(SUBSTRING "${rest}" 0 ${at} before)
    string(LENGTH "${place}" size)
    math(EXPR at "${at} + ${size} - 1") # the next match may begin at the end of this line
    string(SUBSTRING "${rest}" ${at} -1 rest)
    string(REGEX REPLACE "\nimport [^;]*;" "" part "\n${part}")
    string(REPLACE "\nexport " "\n" part "${part}")
    string(REGEX REPLACE "\n$" "" part "${part}")
    string(APPEND page "${before}${part}")
endwhile()
string(APPEND page "${rest}")
file(WRITE ${OUT}.html "${page}")
if(NOT of_command)
    return()
endif()

file(READ ${OUT}.html bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
set(type "const unsigned char page_html[]")
file(WRITE ${OUT}.c "extern ${type};\n${type} = {${bytes}0};\n")
