/** Other tool sets' names for the argument that names one file. */
export const fileAliases: readonly string[] = ['file', 'file_path', 'filePath', 'filename', 'target_file'];

/** Other tool sets' names for the argument that names a folder. */
export const folderAliases: readonly string[] = ['directory', 'dir', 'folder', 'dir_path'];
