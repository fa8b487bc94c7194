"""The server of the page: to this machine alone, and to who knows its address."""

from __future__ import annotations

import asyncio
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

from penumbra._explore.cards import image_type

if typing.TYPE_CHECKING:
    from penumbra._explore import Exploration

# Seconds: that a question waits, between two looks, and after which a page counts as closed.
_POLL, _PAUSE, _AWAY = 20, 0.01, 5
_Answer = typing.Callable[[Request, bytes], Response]
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


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
        self.state = explored.state
        self._asking, self._seen = 0, 0.0  # questions that wait; when the last one ended
        cards = explored.cards
        gets: dict[str, _Answer] = {
            "/": lambda *_: HTMLResponse(explored.page()),
            "/row/{i:int}": lambda asked, _: JSONResponse(explored.card(asked.path_params["i"])),
            "/image/{i:int}": lambda asked, _: _file(cards.image(asked.path_params["i"])),
            "/column/{i:int}": lambda asked, _: _file(cards.column(asked.path_params["i"])),
            "/search": lambda asked, _: _file(cards.search(asked.query_params.get("text", ""))),
        }
        posts: dict[str, _Answer] = {
            "/do": lambda _, body: JSONResponse({"change": explored.do(json.loads(body))}),
            "/export": lambda *_: JSONResponse(explored.export()),
            "/end": lambda *_: _ended(explored),
        }
        routes = [Route(path, _answering(one), methods=["GET"]) for path, one in gets.items()]
        routes += [Route(path, _answering(one), methods=["POST"]) for path, one in posts.items()]
        routes.append(Route("/next", self._next, methods=["GET"]))
        token = secrets.token_urlsafe(16)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/{token}/"
        config = uvicorn.Config(
            _Guard(Starlette(routes=routes), token),
            log_config=None,
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
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
        """What changed after the version that the page has, as soon as something does."""
        text = asked.query_params.get("have", "")
        have, end = int(text) if text.isdecimal() else 0, time.monotonic() + _POLL
        self._asking += 1
        try:
            while self.state.version <= have and not self.state.ended and time.monotonic() < end:
                await asyncio.sleep(_PAUSE)
                if await asked.is_disconnected():
                    break
            if self.state.version <= have:
                return Response(status_code=204, headers=_HEADERS)
            return _file(self.state.packed(have))
        finally:
            self._asking, self._seen = self._asking - 1, time.monotonic()


def _file(data: bytes | None) -> Response:
    """Bytes as they are; of images their type."""
    kind = image_type(data or b"") or "application/octet-stream"
    return Response(data, 404 if data is None else 200, _HEADERS, kind)


def _ended(explored: Exploration) -> Response:
    threading.Thread(target=explored.close).start()  # which waits for this answer
    return JSONResponse({})


def _answering(answer: _Answer) -> typing.Callable[[Request], typing.Awaitable[Response]]:
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
