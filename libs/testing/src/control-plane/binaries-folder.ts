/** The environment variable that names a folder with ready binaries; nothing is built then. */
export const BINARIES_FOLDER_VARIABLE = 'NESTJS_OPERATOR_CONTROL_PLANE_BIN';
