#include <stdio.h>
#include <wchar.h>
#include <histedit.h>

#include "editline_shims.h"
