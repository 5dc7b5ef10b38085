"""LineService: searching, explaining, adding and forgetting lines of memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1.line_service_pb2_grpc import LineServiceServicer
from festinger.core.lines.line import IndexedLine, LineFilter
from festinger.core.lines.listing import UtteranceFilter, find, listed
from festinger.core.memories.feedback import FeedbackVerdict
from festinger.core.recollection.recall import is_kept_from
from festinger.core.recollection.scoring import ScoredLine
from festinger.core.system.principals import plain
from festinger.errors import InvalidArgument, PermissionDenied
from festinger.rpc import convert
from festinger.rpc.fields import members_of, message_of
from festinger.rpc.recollection.decoding import embedding_of
from festinger.rpc.recollection.lines import (
    KINDS,
    TEXT_CHARACTERS_MAX,
    from_item,
    to_line,
    to_response,
)
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import (
    CALLER,
    NAME_MAX,
    Context,
    RpcCaller,
    checked_name,
    checked_project,
)
from festinger.services.language.confirming import ConfirmLine
from festinger.services.language.forgetting import forget_lines, preview_forgetting
from festinger.services.language.import_items import ImportedItem
from festinger.services.language.importing import RefusedItem, import_items
from festinger.services.language.notes import GivenNote, keep_notes
from festinger.services.language.saying import say
from festinger.services.recollection.explaining import explain
from festinger.services.recollection.exporting import export_lines
from festinger.services.recollection.rating import RateLine
from festinger.services.world.tenant_memory import TenantMemory

QUERY_CHARACTERS_MAX: Final = 4_000
ITEMS_MAX: Final = 5_000
"""Maximum number of items of an import in a request."""
PAGE_SIZE_MAX: Final = 500
NOTES_MAX: Final = 1000
"""Maximum number of notes, and of names of lines, in a request."""
SHOWN_MAX: Final = 100
"""Maximum number of forgotten lines in a response."""
REJECTED_MAX: Final = 20
"""Maximum number of rejected lines in a response."""

_VERDICTS: Final = members_of(pb.RateLineRequest.Verdict, FeedbackVerdict)


class LineServicer(TenantServicer, LineServiceServicer):
    """Servicer that reads and changes the lines of memories."""

    async def SearchLines(
        self, request: pb.SearchLinesRequest, context: Context
    ) -> pb.SearchLinesResponse:
        """Return a page of the lines that match a query best, or of the newest."""
        caller = CALLER.get()
        size = min(paging.page_size(request.page_size), PAGE_SIZE_MAX)
        # Lines are ranked, so that a page continues at a position and not after a line.
        skipped = paging.after_number(request.page_token)
        query = convert.checked(request.query, "query", QUERY_CHARACTERS_MAX)
        about = convert.checked(request.about, "about", QUERY_CHARACTERS_MAX)
        project = checked_project(request.project, "project")
        speaker = _speaker(request.speaker)
        if request.kind and request.kind not in KINDS:
            raise InvalidArgument("kind is not one of the known ones", field="kind")
        # 0.0 if it is not set, which admits all lines.
        since = convert.from_time(request.since_time, "since_time")
        memory = await self._memory()
        index, now = memory.world.lines, memory.now()
        wanted = LineFilter(
            kinds={KINDS[request.kind]} if request.kind else (),
            project=project,
            speaker=speaker,
            about=about,
            since=since,
            # Within the search, so that a page is full though others' lines are left out.
            allowed=_shown_to(caller, memory),
            session=convert.checked(request.session, "session", NAME_MAX),
        )
        found = index.search_text(query, wanted, limit=size + 1, offset=skipped)
        more = len(found) > size
        return pb.SearchLinesResponse(
            lines=[to_line(listed(it.line, now=now)) for it in found[:size]],
            next_page_token=paging.page_token(skipped + size) if more else "",
            total_size=len(index),  # of the memory, not of the matches
        )

    async def ExportLines(
        self, request: pb.ExportLinesRequest, context: Context
    ) -> None:
        """Stream all lines of a memory."""
        project = checked_project(request.project, "project")
        # 0.0 if it is not set, which stands for now.
        when = convert.from_time(request.as_of_time, "as_of_time")
        memory = await self._memory()
        # Pages, so that a message stays below gRPC's limit however large the memory is.
        async for page in export_lines(memory, project=project, when=when):
            lines = [to_line(it, whole=True) for it in page]
            await context.write(pb.ExportLinesResponse(lines=lines))

    async def ImportLines(
        self, request: pb.ImportLinesRequest, context: Context
    ) -> pb.ImportLinesResponse:
        """Learn what was said or stated elsewhere."""
        caller = CALLER.get()
        if not 0 < len(request.items) <= ITEMS_MAX:
            raise InvalidArgument(f"send 1 to {ITEMS_MAX} items", field="items")
        items: dict[int, ImportedItem] = {}
        # One bad item of a file of thousands is refused by its number; the others are learned.
        refusals: list[RefusedItem] = []
        for number, item in enumerate(request.items):
            try:
                items[number] = from_item(item)
            except InvalidArgument as error:
                refusals.append(RefusedItem(number, str(error)))
        memory = await self._memory()
        report = await import_items(
            memory, items, principal=caller.principal, preview=request.preview
        )
        # Those found here and those found by the import, in the order of the items.
        report.refusals = sorted([*refusals, *report.refusals])
        return to_response(report)

    async def Explain(
        self, request: pb.ExplainRequest, context: Context
    ) -> pb.ExplainResponse:
        """Return the lines that a prompt would be given, and the reasons."""
        caller = CALLER.get()
        prompt = convert.checked(request.prompt, "prompt", TEXT_CHARACTERS_MAX)
        if not prompt.strip():
            raise InvalidArgument("the prompt is empty", field="prompt")
        asker = caller.speaker
        # `Alice` who asks as `alice` asks as herself.
        if request.asker and plain(request.asker) != plain(asker):
            if not caller.operator:
                raise PermissionDenied("only operators may ask as somebody else")
            asker = checked_name(request.asker, "asker")
        project = checked_project(request.project, "project") or caller.project
        memory = await self._memory()
        now = memory.now()
        explained = explain(
            memory.world,
            prompt,
            preferences=memory.preferences,
            trust=memory.trust,
            asker=asker,
            project=project,
            embedding=embedding_of(request.embedding),
            now=now,
        )
        recalled = explained.recalled
        shown = _shown_to(caller, memory)
        return pb.ExplainResponse(
            block=explained.block,
            told=[_considered(it.found, "", now) for it in recalled.choices],
            rejected=[
                _considered(it.found, it.why, now)
                for it in recalled.rejected
                # What is told is for the asker; the rest may be kept from the caller.
                if shown(it.found.line)
            ][:REJECTED_MAX],
            openness=recalled.openness,
            threshold=recalled.threshold,
        )

    async def Say(self, request: pb.SayRequest, context: Context) -> pb.SayResponse:
        """Store what a person says, and the facts that it states."""
        caller = CALLER.get()
        text = convert.checked(request.text, "text", TEXT_CHARACTERS_MAX)
        if not text.strip():
            raise InvalidArgument("the text is empty", field="text")
        project = checked_project(request.project, "project") or caller.project
        memory = await self._memory()
        # A correction forgets what it corrects, and is allowed as forgetting is.
        if request.corrects:
            _require_own(caller, memory, UtteranceFilter(name=request.corrects))
        understood = await say(
            memory,
            text,
            principal=caller.principal,
            subject=caller.subject,
            project=project,
            corrects=request.corrects,
            request=convert.request_key(request, caller),
        )
        now = memory.now()
        return pb.SayResponse(
            outcomes=map(convert.to_outcome, understood.outcomes),
            lines=[to_line(listed(it, now=now)) for it in understood.lines],
            left_out=[
                pb.SayResponse.LeftOut(text=left, reason=why)
                for left, why in understood.left_out
            ],
            version=understood.version,
        )

    async def KeepNotes(
        self, request: pb.KeepNotesRequest, context: Context
    ) -> pb.KeepNotesResponse:
        """Keep notes exactly as they are, and the facts that they state."""
        caller = CALLER.get()
        session = convert.checked(request.session, "session", NAME_MAX)
        # Without a session a note could not be listed, or forgotten, with its collection.
        if not session.strip():
            raise InvalidArgument("session must name a collection", field="session")
        if not 0 < len(request.notes) <= NOTES_MAX:
            raise InvalidArgument(f"send 1 to {NOTES_MAX} notes", field="notes")
        notes = [
            GivenNote(
                convert.checked(it.text, "text", TEXT_CHARACTERS_MAX),
                convert.checked(it.reading, "reading", TEXT_CHARACTERS_MAX),
            )
            for it in request.notes
        ]
        # An empty note would be a line that nothing finds.
        if not all(it.text.strip() for it in notes):
            raise InvalidArgument("a note is empty", field="text")
        memory = await self._memory()
        understood = await keep_notes(
            memory,
            notes,
            session=session,
            principal=caller.principal,
            subject=caller.subject,
            project=checked_project(request.project, "project") or caller.project,
            request=convert.request_key(request, caller),
        )
        now = memory.now()
        return pb.KeepNotesResponse(
            outcomes=map(convert.to_outcome, understood.outcomes),
            lines=[to_line(listed(it, now=now)) for it in understood.lines],
            version=understood.version,
        )

    async def ForgetLines(
        self, request: pb.ForgetLinesRequest, context: Context
    ) -> pb.ForgetLinesResponse:
        """Forget the lines that match a selection, or preview them."""
        caller = CALLER.get()
        selection = UtteranceFilter(
            speaker=_speaker(request.speaker),
            project=checked_project(request.project, "project"),
            session=convert.checked(request.session, "session", QUERY_CHARACTERS_MAX),
            phrase=convert.checked(request.phrase, "phrase", QUERY_CHARACTERS_MAX),
            name=convert.checked(request.name, "name", NAME_MAX),
            names=_names(request.names),
        )
        # An empty selection matches everything, and nobody forgets everything by accident.
        if selection.is_empty:
            raise InvalidArgument(
                "say what to forget: speaker, project, session, phrase, name or names",
                field="speaker",
            )
        memory = await self._memory()
        # Before the preview as well: it shows what others said.
        _require_own(caller, memory, selection)
        if request.preview:
            found = await preview_forgetting(memory, selection)
        else:
            found = await forget_lines(
                memory,
                selection,
                principal=caller.principal,
                request=convert.request_key(request, caller),
            )
        now = memory.now()
        return pb.ForgetLinesResponse(
            # A person reads some of them; the numbers say how many there are.
            lines=[to_line(listed(it, now=now)) for it in found.lines[:SHOWN_MAX]],
            total_size=found.line_count,
            version=found.version,
            statements=map(convert.to_triple, found.statements[:SHOWN_MAX]),
            statement_count=found.statement_count,
        )

    async def ConfirmLine(
        self, request: pb.ConfirmLineRequest, context: Context
    ) -> pb.ConfirmLineResponse:
        """Confirm an instruction for everybody who works in its project."""
        memory = await self._memory()
        line, version = await memory.writer.submit(ConfirmLine(request.name))
        return pb.ConfirmLineResponse(
            line=to_line(listed(line, now=memory.now())), version=version
        )

    async def RateLine(
        self, request: pb.RateLineRequest, context: Context
    ) -> pb.RateLineResponse:
        """Take what somebody says of a line that a prompt was told."""
        caller = CALLER.get()
        name = convert.checked(request.name, "name", NAME_MAX)
        prompt = convert.checked(request.prompt, "prompt", QUERY_CHARACTERS_MAX)
        if request.verdict not in _VERDICTS:
            raise InvalidArgument("say whether it helped or is wrong", field="verdict")
        memory = await self._memory()
        rating = RateLine(
            memory,
            name,
            _VERDICTS[request.verdict],
            principal=caller.principal,
            shown=_shown_to(caller, memory),
            prompt=prompt,
            request=convert.request_key(request, caller),
        )
        version = await memory.writer.submit(rating)
        return pb.RateLineResponse(line=to_line(rating.line), version=version)


def _considered(found: ScoredLine, rejected: str, now: float) -> pb.ConsideredLine:
    line = to_line(listed(found.line, now=now))
    return message_of(pb.ConsideredLine, found, line=line, rejected=rejected)


def _shown_to(caller: RpcCaller, memory: TenantMemory) -> Callable[[IndexedLine], bool]:
    """Return a predicate for the lines that the caller may see."""
    # An operator who speaks for a person sees what that person may see.
    if caller.operator and not caller.subject:
        return lambda line: True
    # Names, since an audience can be "everyone but Bob".
    people = frozenset(memory.world.lines.sources.speakers)
    return lambda line: not is_kept_from(line, caller.speaker, people)


def _require_own(
    caller: RpcCaller, memory: TenantMemory, selection: UtteranceFilter
) -> None:
    """Require that a caller who is no operator selects only their own lines."""
    if caller.operator:
        return
    # Names are compared as people write them: case does not make another person.
    if selection.speaker and plain(selection.speaker) == plain(caller.speaker):
        return
    if selection.name or selection.names:
        lines = find(memory.world.lines, selection)
        # Names that are gone leave no lines, and forgetting them again is no error.
        if all(plain(it.speaker) == plain(caller.speaker) for it in lines):
            return
    raise PermissionDenied(
        f"{caller.speaker} may forget only what {caller.speaker} said: name them as the "
        "speaker, or ask an operator"
    )


def _names(names: Sequence[str]) -> frozenset[str]:
    if len(names) > NOTES_MAX:
        raise InvalidArgument(f"send at most {NOTES_MAX} names", field="names")
    return frozenset(convert.checked(it, "names", NAME_MAX) for it in names)


def _speaker(name: str) -> str:
    return checked_name(name, "speaker") if name else ""
