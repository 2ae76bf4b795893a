#include "CGraphStoreShims.h"
