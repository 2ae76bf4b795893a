#ifndef CGRAPHSTORE_EDITLINE_SHIMS_H
#define CGRAPHSTORE_EDITLINE_SHIMS_H

#include <stdio.h>
#include <wchar.h>
#include <histedit.h>

#endif
