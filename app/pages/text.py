"""Every visible word of the pages, in one place, so that a translation is a second one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.views import ParityView
from engine.run import Breakpoint


@dataclass(frozen=True)
class Text:
    """English. Sentences about a moment come from the trace; these are the words around it."""

    name: str = "Gradient Flow"
    tagline: str = "Step through a PyTorch training loop and see every gradient move."
    what: str = (
        "Press zero_grad, forward, backward and step one at a time, or paste your own loop, and see every value, every "
        ".grad and every piece of optimizer state change. The numbers are PyTorch's."
    )
    what_to_paste: str = "paste your own loop"
    skip: str = "Skip to the debugger"
    gallery: str = "All scenarios"
    start_here: str = "Start here"
    search: str = "Search"
    search_label: str = "Find a scenario"
    search_hint: str = "zero_grad, Adam, detach ..."
    any_level: str = "any level"
    any_topic: str = "any topic"
    level: str = "Level"
    topic: str = "Topic"
    show_all: str = "Show all"
    topics: Mapping[str, str] = field(
        default_factory=lambda: {
            "gradients": "gradients",
            "optimizers": "optimizers",
            "loop": "the training loop",
            "networks": "networks",
            "other-code": "from other code",
        }
    )
    found_nothing: str = "No scenario fits."
    found_nearest: str = "No scenario has all of these words; these have the most of them."
    found_nothing_hint: str = "Try fewer words, any level or any topic; or paste a script of your own below."
    open: str = "Open"
    minutes: str = "min"
    paste_title: str = "Paste your own training loop"
    paste_hint: str = (
        "A plain PyTorch script. It stops at the start of its training loop, and each of zero_grad, forward, backward "
        "and step becomes a button."
    )
    paste_label: str = "Your script"
    paste_button: str = "Step through it"
    paste_starting: str = "Starting…"
    paste_example: str = "Use the example"
    paste_file: str = "Open a file…"
    not_accepted: str = "This script cannot run yet"
    line: str = "line"

    script: str = "Script"
    side: str = "Numbers, charts and findings"
    edit: str = "Edit"
    edit_hint: str = "Running the edited script makes a new run and gives it the same commands, while they fit."
    edit_button: str = "Run the edited script"
    cancel: str = "Cancel"
    cell: str = "cell"
    run_cell: str = "run this cell"
    breakpoint: str = "Breakpoint at line"
    breakpoints: str = "Breakpoints: when a run stops at line"
    when: str = "when"
    always: str = "always, or an expression: loss > 3"
    hit: str = "at hit"
    set: str = "set"
    run_to_here: str = "run to here"
    run_to_line: str = "Run to line"
    graph: str = "Computation graph"
    fit: str = "whole picture"
    graph_tools: str = "Tools of the graph"
    find_node: str = "Find by name"
    found_none: str = "nothing is called that"
    open_all: str = "open all"
    close_all: str = "close all"
    zoom_in: str = "larger"
    zoom_out: str = "smaller"
    minimap: str = "The whole graph in small, with a frame around what is seen"
    unpin: str = "stop following"
    by_hand_legend: str = "arrows: what each line reads, from the text of the script"
    stale_legend: str = "dotted: its inputs have changed since"
    freed_legend: str = "saved tensors freed: no second backward"
    width_legend: str = "wider line: larger gradient, from norm 0.0001 to 100, in powers of ten"
    parameters: str = "Parameters"
    outside: str = "Outside the subset"
    nothing_yet: str = "No leaf requires grad yet."
    nothing_by_hand: str = "Nothing requires grad: this script works its gradients out itself."
    optimizer: str = "Optimizer"
    loss: str = "Loss"
    charts: str = "Charts"
    quantity: str = "What the chart shows"
    log_scale: str = "log"
    log_scale_long: str = "Logarithmic scale"
    no_loss: str = "No loss yet: press forward."
    no_loss_here: str = "No loss yet."
    no_loss_known: str = "No curve: no variable of this loop is called a loss, or printed as one."
    chart_hint: str = "Left and right go from point to point, Enter goes to the moment."
    plots: str = "Plots of the script"
    drawn_at: str = "drawn at"
    warnings: str = "Warnings"
    output: str = "Output"
    findings: str = "Noticed"
    moment: str = "moment"
    go_to_moment: str = "go to moment"
    variables: str = "Variables"
    column_name: str = "name"
    column_value: str = "value"
    column_grad: str = ".grad"
    column_after: str = "after step()"
    not_held: str = "no optimizer holds it"
    empty_graph: str = "Nothing computed yet"
    no_graph: str = "No graph: nothing requires grad, so PyTorch records no operations."
    legend_negative: str = "negative"
    legend_positive: str = "positive"
    just_ran: str = "just ran"
    runs_next: str = "runs next"
    usual_next: str = "usual next"

    controls: str = "Controls"
    no_phases: str = "No training loop found: step through with next."
    no_script: str = "This script is empty: Edit takes one."
    back: str = "back"
    next: str = "next"
    into: str = "into"
    out: str = "out"
    event_back: str = "one event back"
    event_on: str = "one event on"
    gone: str = "This run is not there any more: it may have expired. Start again from the scenarios."
    learn: str = "Learn"
    skip_to_text: str = "Skip to the text"
    skip_to_scenarios: str = "Skip to the scenarios"
    share: str = "Share"
    share_looks: str = "A link to look"
    share_looks_hint: str = "Whoever has it sees this moment and may go back and forth. It follows what you press."
    share_drives: str = "The link that drives"
    share_drives_hint: str = "Whoever has it presses in your run. Keep it to yourself."
    share_carries: str = "A link that carries everything"
    share_carries_hint: str = (
        "The script and the presses are in the link itself: any Gradient Flow opens it, years later too, and nothing is"
        " sent before it is opened."
    )
    share_embed: str = "For a web page"
    share_embed_hint: str = "An element that loads when it comes into view, as high as it needs to be."
    share_frame: str = "For Moodle, Canvas and other places that take frames only"
    share_frame_hint: str = "The same as a plain frame."
    save: str = "Save"
    save_hint: str = "Files that need no server."
    exports: dict[str, str] = field(
        default_factory=lambda: {
            "html": "offline page (.html)",
            "py": "program so far (.py)",
            "ipynb": "notebook (.ipynb)",
            "csv": "losses and gradient norms (.csv)",
            "ndjson": "trace (.ndjson)",
            "svg": "picture (.svg)",
            "dot": "graph (.dot)",
            "zip": "SCORM 1.2 package (.zip)",
        }
    )
    export_png: dict[str, str] = field(
        default_factory=lambda: {"light": "picture, white (.png)", "dark": "picture, dark (.png)"}
    )
    png_failed: str = "The picture could not be drawn: save the .svg"
    copy: str = "Copy"
    copied: str = "Copied"
    opening: str = "Open a link"
    opening_hint: str = "The run is in the link, behind the #. It opens by itself where scripts may run."
    opening_empty: str = "There is nothing behind the # of this link."
    opening_label: str = "The link, or what stands behind its #"
    rejoin: str = "Back to the run that this one was made from"
    class_title: str = "Who follows"
    class_hint: str = (
        "Give the link to look to a class: this page says how many follow now, and how their predictions went."
    )
    followers: str = "follow this run now"
    card: str = "Card"
    right: str = "right"
    mistakes: str = "what was told to the others"
    nothing_predicted: str = "Nobody has predicted anything yet."
    lesson: str = "Lesson"
    predict: str = "Predict"
    before_press: str = "Before you press"
    reveal: str = "Show the answer"
    show_me: str = "Do these presses"
    card_back: str = "card before"
    card_on: str = "next card ›"
    needs_script: str = "This recording needs JavaScript."
    unforeseen: str = (
        "This page is a recording and works without a server: this press is not in it. Look at the recorded moments,"
        " let a card do its presses, or start over and press the phases."
    )
    other_numbers: str = (
        "Where this link was made, the same presses came to other numbers: in the last digits, if that was another"
        " processor or an older version; or the scenario has been changed since."
    )
    silent: str = "The server did not answer. Nothing is lost: press again."
    your_script: str = "Your script"
    cite: str = "Text: CC BY 4.0, how to cite"
    no_lesson: str = "This script begins as a lesson does, and cannot be read as one:"
    nothing_pasted: str = "there is no statement in it"
    nothing_pasted_hint: str = "Paste a training loop, or use the example."
    limit: str = "Limit"
    play: str = "play"
    pause: str = "pause"
    more: str = "More…"
    tools: str = "Tools"
    compare: str = "Compare"
    compare_what: str = "Both runs are shown side by side; one cursor moves both. Compare this run with:"
    back_to_run: str = "Back to the run"
    open_run: str = "open this run"
    fork_here: str = "a fork of it from here"
    other_run: str = "the link of another run"
    why: str = "Why is this number here?"
    why_cut: str = "The chain goes further back than is shown."
    nudge: str = "Nudge"
    nothing_found: str = "Nothing was noticed."
    as_written: str = "as written"
    mended: str = "mended"
    mend_it: str = "Mend it"
    costs_and_mend: str = "what it costs, and the mend"
    landscape: str = "landscape"
    landscape_long: str = "Draw the decision boundary, or the loss over two parameters"
    differences: str = "Differences"
    differs: str = "differs"
    press_both: str = "In both:"
    next_statement: str = "next"
    start_over: str = "Start over"
    stop: str = "Stop"
    stopped: str = "Stopped here."
    timeline: str = "Timeline"
    inside: str = "inside"
    of: str = "of"
    whole: str = "whole statement"
    run_iterations: str = "Run whole iterations"
    run_iteration: str = "iteration"
    run_many: str = "iterations"
    run_how_many: str = "How many iterations"
    to_the_end: str = "to the end"
    statement: str = "Execute a statement of your own"
    statement_hint: str = "w.grad"
    execute: str = "Execute"
    step_in: str = "Step into the call"
    step_out: str = "Run out of it"
    keyboard_on: str = "Keyboard shortcuts are on"
    keyboard_off: str = "Keyboard shortcuts are off"
    working: str = "Running…"
    look_again: str = "Look again"
    newest: str = "Newer moments are there: go to the newest"

    help: str = "Keys and words"
    theme: str = "Light or dark"
    close: str = "Close"
    transcript: str = "the program so far (.py)"
    picture: str = "the picture (.svg)"
    picture_png: str = "(.png)"
    read_only: str = "read-only link"
    full_page: str = "Open in Gradient Flow"

    to_gallery: str = "Go to the scenarios"

    keys: tuple[tuple[str, str], ...] = (
        ("Z F B S", "press zero_grad, forward, backward, step: the first of each"),
        ("1 … 9", "press the first, the second ... of these buttons"),
        ("N", "execute the next statement"),
        ("← →", "a moment back, a moment on"),
        ("↓ ↑", "one event further inside, one back"),
        ("I O", "into the events of the statement, out of them"),
        ("Home End", "the first, the last moment"),
        ("P", "play, pause"),
        ("/", "find a node of the graph by its name; Enter for the next one"),
        ("+ − 0", "the graph larger, smaller, whole; also Ctrl and the wheel, or two fingers"),
        ("Tab, then arrows", "from box to box in the graph; Enter opens or closes a part"),
        ("W", "why is this number here: of the parameter or box that has the focus"),
        ("R Enter", "at a line of the script: run to it; set or take away a breakpoint"),
        ("C", "at a line of the script: say when its breakpoint stops; also Shift and a click, or the right button"),
        ("?", "this help"),
    )
    words: tuple[tuple[str, str], ...] = (
        ("moment", "the state after one executed statement: one mark of the timeline"),
        ("event", "one thing inside a statement: a node visited, a .grad that grew, a parameter updated"),
        ("passing", "the gradient that flows through an operation; it is not kept: only leaves have a .grad"),
        ("dashed outline", "an operation that has not been computed yet"),
    )

    def stops_when(self, one: Breakpoint) -> str:
        """Of the breakpoint of a line."""
        if one.is_plain:
            return "a run stops before this line"
        often = f", at hit {one.hits}" if one.hits > 1 else ""
        return f"a run stops before this line{' when ' + one.when if one.when else ''}{often}"

    def checked(self, parity: ParityView) -> str:
        """The receipt of a scenario."""
        ours = f"Gradient Flow {parity.version}, NumPy {parity.numpy}"
        return f"Checked against PyTorch {parity.torch} on {parity.date}: what it prints is {parity.result} ({ours})."

    def found(self, count: int, of: int) -> str:
        return f"{count} of {of} scenarios"

    def scripts_differ(self, places: int) -> str:
        """How many places of two scripts are not the same."""
        if not places:
            return "The scripts are the same."
        return "The scripts differ in one place" if places == 1 else f"The scripts differ in {places} places"

    def nudge_label(self, name: str, index: tuple[int, ...]) -> str:
        """What is moved."""
        return f"{name}{list(index) if index else ''} moved by"

    def opened(self, left: int, differs: bool) -> str:
        """What is to be known of a run that a link or an edit made; "": nothing."""
        return self.left(left) if left else self.other_numbers if differs else ""

    def left(self, count: int) -> str:
        """What became of the commands after an edit."""
        return f"{'One command' if count == 1 else f'{count} commands'} did not fit the edited script."

    def far(self, done: int, asked: int) -> str:
        """How far a long command is."""
        return f"{self.working} {done} {self.of} {asked}" if asked else self.working


ENGLISH = Text()
