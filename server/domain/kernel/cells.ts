/**
 * A cell is a whole deployment with its own database. Several share one REST address, and a router before them sends
 * each request to its merchant's cell (docs/cells.md, ADR 36).
 */
export interface Cell {
  /** In new API keys and in the metadata of payments. */
  name: string;
  /** The origin of any cell, with `{cell}` for its name: the same in all cells. */
  originPattern: string;
  /** The REST API's origin, one for all cells: the pattern without the name. */
  apiOrigin: string;
}

const placeholder = '{cell}';

export const cellPattern = /^[a-z][a-z0-9]{0,7}$/;
export const originPatternPattern = /^https?:\/\/\{cell\}\.[\w.-]+(:\d{1,5})?\/?$/;

/** `originPattern` is like `https://{cell}.loyalty.example.com`. */
export const createCell = (name: string, originPattern: string): Cell => ({
  name,
  originPattern,
  apiOrigin: originPattern.replace(`${placeholder}.`, ''),
});

/** The origin of a cell's back office and diners' pages. */
export const originOf = ({ originPattern }: Cell, name: string): string => originPattern.replace(placeholder, name);

/** The address of the REST API through which the router sends a request to this cell, whatever cell its key names. */
export const baseUrlOf = ({ apiOrigin }: Cell, name: string): string => `${apiOrigin}/cells/${name}/api/v1`;

/** True for the host name (without a port) of one of the cells, or of the REST API. */
export function isHostOfCells({ apiOrigin }: Cell, hostname: string): boolean {
  const shared = new URL(apiOrigin).hostname;
  if (hostname === shared) return true;
  return hostname.endsWith(`.${shared}`) && cellPattern.test(hostname.slice(0, -shared.length - 1));
}
