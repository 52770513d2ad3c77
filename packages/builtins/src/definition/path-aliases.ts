/** Names that other tool sets use for the path of a file. */
export const fileAliases: readonly string[] = ['file', 'file_path', 'filePath', 'filename', 'target_file'];

/** Names that other tool sets use for the path of a folder. */
export const folderAliases: readonly string[] = ['directory', 'dir', 'folder', 'dir_path'];
