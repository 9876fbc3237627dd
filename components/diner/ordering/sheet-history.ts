/** The open sheets, the top one last. Each has an entry in the browser's history, so that Back closes the top one. */
const sheets: HTMLDialogElement[] = [];
/** True while this module itself goes back, which takes a moment. */
let isReturning = false;

const entries = (): number => history.state?.sheets ?? 0;

/** Adds missing entries, or removes those of closed sheets. */
function align(): void {
  if (isReturning) return;
  while (entries() < sheets.length) history.pushState({ sheets: entries() + 1 }, '');
  isReturning = entries() > sheets.length;
  if (isReturning) history.go(sheets.length - entries());
}

function onMove(): void {
  if (!isReturning) while (sheets.length > entries()) sheets.pop()?.close();
  isReturning = false;
  align();
}

/** Gives an open sheet its entry. Returns a function that removes it. */
export function enterHistory(sheet: HTMLDialogElement): () => void {
  addEventListener('history', onMove);
  sheets.push(sheet);
  align();
  return () => {
    if (!sheets.includes(sheet)) return;
    sheets.splice(sheets.indexOf(sheet), 1);
    align();
  };
}
