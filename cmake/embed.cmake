# cmake -DFOLDER=... -DOUT=... [-DPAGE=...] -P embed.cmake: PAGE.html of FOLDER, or page.html, with
# its parts in it, OUT.html; and page.html, with a NUL, as the array page_html of unsigned char in
# OUT.c. A line @NAME.css@ or @NAME.js@ is that file, without `import` statements and leading
# `export`: all are one module. No byte of a part means anything here, as long as texts are quoted.
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
    math(EXPR at "${at} + ${size} - 1") # the next place may begin with the end of this line
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
