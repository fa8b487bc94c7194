"""The server of the page: to this machine alone, and to who knows its address."""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
import typing

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

if typing.TYPE_CHECKING:
    from penumbra._explore import Exploration

_POLL, _AWAY = 20, 5  # seconds that a question waits, and after which a page counts as closed
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _Numbers(Response):
    media_type = "application/octet-stream"


class _Guard:
    """Lets in who has the token, asks by a name of this machine, and comes from no other page."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = {
            name: [v for k, v in scope["headers"] if k == name] for name in (b"host", b"origin")
        }
        hosts, origins = told.values()
        is_here = [host.partition(b":")[0] for host in hosts] in ([b"127.0.0.1"], [b"localhost"])
        is_ours = is_here and all(origin == b"http://" + hosts[0] for origin in origins)
        _, token, *path = scope["path"].split("/", 2)
        if path and is_ours and secrets.compare_digest(token.encode(), self.token):
            await self.app(dict(scope, path=f"/{path[0]}"), receive, send)
        else:
            await Response(status_code=403, headers=_HEADERS)(scope, receive, send)


class Server:
    """The page of an exploration, served by a thread."""

    def __init__(self, explored: Exploration) -> None:
        self.state, self.cards = explored.state, explored.cards
        self._asking, self._seen = 0, 0.0  # questions that wait; when the last one ended
        answers: dict[tuple[str, str], typing.Callable[[Request, bytes], Response]] = {
            ("GET", "/"): lambda *_: HTMLResponse(explored.page()),
            ("GET", "/row/{i:int}"): lambda asked, _: JSONResponse(explored.card(_i(asked))),
            ("GET", "/image/{i:int}"): lambda asked, _: self._image(_i(asked)),
            ("GET", "/column/{i:int}"): lambda asked, _: _Numbers(
                self.cards.column(_i(asked)).tobytes()
            ),
            ("GET", "/search"): lambda asked, _: _Numbers(
                self.cards.search(asked.query_params.get("text", "")).tobytes()
            ),
            ("POST", "/do"): lambda _, body: JSONResponse(
                {"change": explored.do(json.loads(body))}
            ),
            ("POST", "/export"): lambda *_: JSONResponse(explored.export()),
            ("POST", "/end"): lambda *_: self._end(explored),
        }
        routes = [Route(p, _answering(one), methods=[m]) for (m, p), one in answers.items()]
        routes.append(Route("/next", self._next, methods=["GET"]))
        token = secrets.token_urlsafe(16)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/{token}/"
        config = uvicorn.Config(
            _Guard(Starlette(routes=routes), token),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        given = {"sockets": [self._socket]}
        self._thread = threading.Thread(target=self._server.run, kwargs=given, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Answer what is being asked, and end."""
        self._server.should_exit = True
        self._thread.join(5)
        self._socket.close()

    @property
    def is_left(self) -> bool:
        """Whether there was a page, which has been closed."""
        return bool(self._seen) and not self._asking and time.monotonic() - self._seen > _AWAY

    async def _next(self, asked: Request) -> Response:
        """What changed after the version that the page has, as soon as there is something."""
        have = asked.query_params.get("have", "")
        have_version = int(have) if have.isdecimal() else 0
        self._asking += 1
        try:
            for _ in range(_POLL):
                if await self.state.wait(have_version, 1):
                    return _Numbers(self.state.packed(have_version), headers=_HEADERS)
                if self.state.ended or await asked.is_disconnected():
                    break
            return Response(status_code=204, headers=_HEADERS)
        finally:
            self._asking, self._seen = self._asking - 1, time.monotonic()

    def _image(self, row: int) -> Response:
        found = self.cards.image(row)
        return Response(found[0], media_type=found[1]) if found else Response(status_code=404)

    def _end(self, explored: Exploration) -> Response:
        threading.Thread(target=explored.close).start()  # which waits for this answer
        return JSONResponse({})


def _i(asked: Request) -> int:
    number: int = asked.path_params["i"]
    return number


def _answering(
    answer: typing.Callable[[Request, bytes], Response],
) -> typing.Callable[[Request], typing.Awaitable[Response]]:
    """What runs in a thread, and refuses in words."""

    async def answered(asked: Request) -> Response:
        body = await asked.body()
        try:
            response = await run_in_threadpool(answer, asked, body)
        except (ValueError, TypeError, LookupError, AttributeError, OSError) as error:
            response = JSONResponse({"error": str(error)}, status_code=409)
        response.headers.update(_HEADERS)
        return response

    return answered
