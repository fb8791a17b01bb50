/**
 * Constants of Node's HTTP module. An import statement of it also loads the WebSocket client that it re-exports, which
 * makes every start a tenth slower.
 */
export const { maxHeaderSize, STATUS_CODES } = process.getBuiltinModule('node:http');
