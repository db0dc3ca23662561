// The graph as a PNG: the server's SVG, drawn onto a canvas here. The address is a button's data-png, the file's name its
// data-name; without a theme in the address the picture is as light or dark as the page.

const SCALE = 2;
const MOST = 16_384; // pixels of a side that browsers' canvases hold
const AREA = 100_000_000; // and of both together

async function png(address) {
  const url = new URL(address, location.href);
  if (!url.searchParams.has("theme")) {
    url.searchParams.set("theme", getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light");
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const scale = Math.min(SCALE, MOST / width, MOST / height, Math.sqrt(AREA / (width * height)));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.floor(width * scale), height: Math.floor(height * scale),
  });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("too large for a canvas"))), "image/png");
  });
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-png]");
  if (!button || button.disabled) return;
  button.disabled = true;
  try {
    const href = URL.createObjectURL(await png(button.dataset.png));
    Object.assign(document.createElement("a"), { href, download: button.dataset.name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  } catch {
    button.textContent = button.dataset.failed;
  }
  button.disabled = false;
});
