/**
 * Constants of Node.js's HTTP module. An import statement would also load the re-exported WebSocket client and make
 * startup about 10% slower.
 */
export const { maxHeaderSize, STATUS_CODES } = process.getBuiltinModule('node:http');
