/**
 * Constants of Node's HTTP module. An import statement would also load the WebSocket client that the module re-exports,
 * which would make startup about 10% slower.
 */
export const { maxHeaderSize, STATUS_CODES } = process.getBuiltinModule('node:http');
