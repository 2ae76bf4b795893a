#include "CGraphStoreShims.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/vfs.h>
#include <unistd.h>

int gs_make_signal(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void gs_send_signal(int signal) {
  uint64_t one = 1;
  // A counter that is full wakes its reader already.
  (void)!write(signal, &one, sizeof one);
}

bool gs_is_on_network(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return false;
  switch ((uint32_t)status.f_type) {
    case 0x6969:      // NFS
    case 0x517b:      // SMB
    case 0xff534d42:  // CIFS
    case 0xfe534d42:  // SMB2
    case 0x65735546:  // FUSE
    case 0x01021997:  // 9P
    case 0x00c36400:  // Ceph
    case 0x5346414f:  // AFS
      return true;
    default: return false;
  }
}
