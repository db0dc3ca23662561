// The figure in a notebook's cell: what app/widget.py says becomes the attributes of a <gradient-flow>, and what happens in
// it becomes the widget's traits. The element comes along: nothing is fetched but the frame.

import "./embed.js";

const WORDS = ["scenario", "run", "server", "theme", "lang", "title", "height"];
const LISTS = ["panels", "buttons"];
const SWITCHES = ["readonly", "locked", "autoplay", "predict"];

function figureOf(model) {
  const figure = document.createElement("gradient-flow");
  for (const name of WORDS) if (model.get(name)) figure.setAttribute(name, model.get(name));
  for (const name of LISTS) if (model.get(name)) figure.setAttribute(name, model.get(name).join(","));
  for (const name of SWITCHES) figure.toggleAttribute(name, model.get(name));
  if (model.get("source")) {
    figure.setAttribute("src", URL.createObjectURL(new Blob([model.get("source")], { type: "text/x-python" })));
  }
  if (model.get("moment") !== null) figure.setAttribute("moment", model.get("moment"));
  return figure;
}

function render({ model, el }) {
  const figure = figureOf(model);
  let shown = model.get("moment");
  const tell = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  figure.addEventListener("gradientflow:moment", ({ detail }) => {
    shown = detail.moment;
    tell({ moment: detail.moment, says: detail.text });
  });
  figure.addEventListener("gradientflow:prediction", ({ detail: { card, right, asked } }) => {
    tell({ predictions: [...model.get("predictions"), { card, right, asked }] });
  });
  const asked = ({ type, values }) => {
    if (type === "press") figure.press(...values);
    if (type === "look") figure.look(...values);
  };
  const moved = () => {
    if (model.get("moment") !== null && model.get("moment") !== shown) figure.look(model.get("moment"));
  };
  model.on("msg:custom", asked);
  model.on("change:moment", moved);
  el.append(figure);
  return () => {
    model.off("msg:custom", asked);
    model.off("change:moment", moved);
    figure.remove();
  };
}

export default { render };
