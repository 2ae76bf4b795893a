#ifndef CGRAPHSTORE_CAMPAIGN_LAUNCH_H
#define CGRAPHSTORE_CAMPAIGN_LAUNCH_H

#include "CGraphStoreCampaign.h"

#include <sys/resource.h>

/// Turns a process that was just forked into the program; does not come back.
void gs_campaign_become(const gs_campaign_program *program, int (*prepare)(void)) __attribute__((noreturn));

void gs_campaign_note(gs_campaign_ending *ending, int status, const struct rusage *usage);

#endif
