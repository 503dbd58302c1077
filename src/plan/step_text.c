/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/step_text.h"

#include <stdio.h>

#include "plan/fit.h"

const char *step_action_name(const struct step *step) {
        static const char *const names[] = {
                [STEP_SET] = "set",       [STEP_KEEP] = "keep", [STEP_REFUSE] = "refuse",
                [STEP_ABSENT] = "absent", [STEP_FALL] = "fall", [STEP_WAIT] = "wait",
        };

        if (step->action == STEP_KEEP && step->to != step->link->mtu)
                return "follow";
        return names[step->action];
}

const char *step_reason_text(char buffer[static STEP_REASON_SIZE], const struct step *step) {
        /* `behind` follows the name of the other device; NULL: no name. */
        static const struct {
                const char *before, *behind;
        } texts[] = {
                [STEP_ABSENT_NOW] = { "there is no such device now", NULL },
                [STEP_HAS_IT] = { "it has the wanted MTU", NULL },
                [STEP_HAS_MORE] = { "it has more than the wanted MTU", NULL },
                [STEP_HAS_LESS] = { "it has less than the wanted MTU", NULL },
                [STEP_BRIDGE_BEFORE] = { "a bridge comes before its ports", NULL },
                [STEP_BRIDGE_AFTER] = { "a bridge comes after its ports", NULL },
                [STEP_BRIDGE_PINNED] = { "it has the wanted MTU, and follows its ports until it is set",
                                         NULL },
                [STEP_BEFORE_LOWER] = { "lowered before ", ", which it stands on" },
                [STEP_AFTER_LOWER] = { "raised after ", ", which it stands on" },
                [STEP_AFTER_LEADER] = { "set after ", ", which changes it too" },
                [STEP_BY_LEADER] = { "changed with ", "" },
                [STEP_BY_SETTER] = { "", " sets it, as one of its ports" },
                [STEP_REGAINS] = { "raised again after ", ", with which it was lowered" },
                [STEP_SETTER_DISAGREES] = { NULL, NULL }, /* the last; texts with numbers are below */
        };
        const char *before = texts[step->reason].before, *behind = texts[step->reason].behind;
        const char *name = step->other ? step->other->name : "";
        uint32_t mtu = step->other_mtu;

#define SAY(...) snprintf(buffer, STEP_REASON_SIZE, __VA_ARGS__)
        if (step->reason == STEP_IMPOSSIBLE)
                return step->fit.fault != FIT_FITS ? device_fit_fault(step->fit.fault)
                                                   : device_fault(buffer, step->link, step->to);
        if ((step->action == STEP_SET || step->action == STEP_KEEP) && step->line &&
            step->line->spec.is_auto)
                return fit_text(buffer, &step->fit);
        if (step->reason == STEP_SETTER_DISAGREES)
                SAY("%s gives %u to its ports", name, mtu);
        else if (step->reason == STEP_LOWER_TOO_SMALL && step->room != mtu)
                SAY("%s below it has %u by then, room for %u", name, mtu, step->room);
        else if (step->reason == STEP_LOWER_TOO_SMALL)
                SAY("%s below it has %u by then", name, mtu);
        else
                SAY("%s%s%s", before, behind ? name : "", behind ? behind : "");
#undef SAY
        return buffer;
}
