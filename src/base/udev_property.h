/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the udev rule leaves in the udev database for setmtu-apply to find. */

#define UDEV_PROPERTY_MTU "SETMTU_MTU"                   /* what the rule wrote to the device */
#define UDEV_PROPERTY_ORIGINAL_MTU "SETMTU_ORIGINAL_MTU" /* what was there before */
