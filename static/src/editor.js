// The script editor: CodeMirror put over a <textarea>, which stays the form's field (and is all there is without
// JavaScript). Loaded when somebody edits a script; read-only scripts are drawn by the server.
//
// Colours are css classes only: .tok-* for words of Python, .cm-problem, so that both themes live in static/css.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/**
 * Puts an editor over `textarea`. Options: `nonce` (the page's CSP nonce, needed by CodeMirror's own styles),
 * `onChange(text)`, `onSubmit()` (Ctrl-Enter or Cmd-Enter; by default the textarea's form is submitted).
 * Answers `{view, text(), setText(text), setProblems([{line, column, end_column, message, suggestion}]), destroy()}`;
 * lines count from 1, columns from 0.
 */
export function createEditor(textarea, { nonce = "", onChange = () => {}, onSubmit } = {}) {
  const submit = onSubmit ?? (() => textarea.form?.requestSubmit());
  const label = textarea.getAttribute("aria-label") ?? textarea.labels?.[0]?.textContent.trim() ?? "Script";

  const view = new EditorView({
    state: EditorState.create({
      doc: textarea.value,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", tabindex: "0" }),
        lineNumbers(),
        lintGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        dropCursor(),
        EditorState.allowMultipleSelections.of(true),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ activateOnTyping: false }),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        python(),
        syntaxHighlighting(classHighlighter),
        keymap.of([
          { key: "Mod-Enter", run: () => (submit(), true) },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap,
          indentWithTab, // Escape, then Tab, leaves the editor
        ]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          textarea.value = update.state.doc.toString();
          onChange(textarea.value);
        }),
      ],
    }),
  });
  textarea.hidden = true;
  textarea.after(view.dom);

  const place = ({ line, column = 0, end_column: end }) => {
    const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    const start = Math.min(from + column, to);
    return { from: start, to: end == null ? to : Math.max(start, Math.min(from + end, to)) };
  };

  return {
    view,
    text: () => view.state.doc.toString(),
    setText(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setProblems(problems) {
      const marks = problems.map((problem) => ({
        ...place(problem),
        severity: problem.severity ?? "warning",
        message: [problem.message, problem.suggestion].filter(Boolean).join("\n"),
        markClass: "cm-problem",
      }));
      view.dispatch(setDiagnostics(view.state, marks.sort((a, b) => a.from - b.from)));
    },
    destroy() {
      view.destroy();
      textarea.hidden = false;
    },
  };
}
