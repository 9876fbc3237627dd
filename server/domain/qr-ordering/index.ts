/** Codes of tables, the page they open, and its orders. */

export { openCode } from './bill-code';
export { clearOldOrders } from './clear-old';
export { closeTableCodes } from './close-several';
export { svgOf } from './code-images';
export { type DinerTable, openTableOf, type ScannedTable, scannedTableOf } from './diner-table';
export { exportOrders } from './export-orders';
export { countMiss, type FoundCode, findCode, openUntil, type Visit } from './find-code';
export { acceptTable, declineTable, readWaiting, type WaitingTable } from './held-orders';
export {
  type CategoryOnOffer,
  type ItemOnOffer,
  type OptionGroupOnOffer,
  type OptionOnOffer,
  readMenu,
} from './menu-on-offer';
export {
  countLateOrders,
  getOrderBoard,
  type LateOrders,
  listDoneOrders,
  setBoardOrderStatus,
  undoBoardMove,
} from './order-board';
export { setOrderStatus } from './order-status';
export { changeOrderingSettings, getOrderingSettings, readOrderingSettings } from './ordering-settings';
export { listOrders, type StoreOrder } from './orders';
export { ensureOpen, lockCode, placeOrder, placeTableOrder } from './place-order';
export { generateQrCode, getQrCode, invalidateQrCode } from './qr-codes';
export {
  answerCallInput,
  changeOrderingSettingsInput,
  clearOldOrdersInput,
  doneOrdersInput,
  type ExportOrdersInput,
  exportOrdersInput,
  generateQrCodeInput,
  generateQrCodeOutput,
  invalidateQrCodeInput,
  invalidateQrCodeOutput,
  listOrdersInput,
  listOrdersOutput,
  moveOrderInput,
  newOrder,
  type Order,
  type OrderingSettings,
  type OrderMove,
  type OrderStatus,
  order,
  orderBoardInput,
  placeTestOrderInput,
  placeTestOrderOutput,
  qrCodeInput,
  qrCodeListInput,
  qrCodeOutput,
  setOrderStatusInput,
  staffQrCodeInput,
  staffQrCodesInput,
  type TableCallKind,
  type TableCodeInput,
  tableCallInput,
  tableCardsInput,
  tableCodeInput,
  tableInput,
  undoMoveInput,
  waitingOrdersInput,
} from './schemas';
export type { Stations } from './stations';
export {
  answerCall,
  callFromTable,
  callLimit,
  callStaff,
  readWaitingCalls,
  type WaitingCall,
  withdrawCall,
} from './table-calls';
export {
  generateTableCode,
  getTableCode,
  listOpenCodes,
  listQrCodes,
  listTableCards,
  newBillNumber,
} from './table-codes';
export { getTablePage, type OpenTable, type TablePage } from './table-page';
export { placeTestOrder } from './test-order';
export { isTokenCurrent, newTokenOf, tokenPattern, visitByCard } from './token';
