/** System call numbers by name: x64, then arm64; null if the call does not exist. */
type CallNumbers = Readonly<Record<string, readonly [x64: number | null, arm64: number | null]>>;

/**
 * Calls that tools do not need and that reach beyond a jail, into other programs, or deep into the kernel. Sources: the
 * kernel's `syscall_64.tbl` and `asm-generic/unistd.h`.
 */
export const deniedCalls: CallNumbers = {
  // Mounts and the file system.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  fanotify_init: [300, 262],
  // Access to other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Keys of the machine's users.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Large attack surface in the kernel.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  modify_ldt: [154, null],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  uselib: [134, null],
  _sysctl: [156, null],
  // The machine as a whole.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
};

type FilteredCall = 'ioctl' | 'clone' | 'unshare' | 'socket' | 'socketpair' | 'clone3';

/** Calls that are filtered by their arguments. */
export const filteredCalls: Readonly<Record<FilteredCall, readonly [x64: number, arm64: number]>> = {
  ioctl: [16, 29],
  clone: [56, 220],
  unshare: [272, 97],
  socket: [41, 198],
  socketpair: [53, 199],
  clone3: [435, 435],
};
