/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Attributes of a netlink message that are searched, not visited one after the other. */

#include <libmnl/libmnl.h>
#include <stddef.h>
#include <stdint.h>

/* The attribute at `at`; NULL if none is there before `end`. In mnl_attr_for_each(), gcc warns of the
 * length's conversion to int. */
static inline const struct nlattr *nlattr_at(const void *at, const void *end) {
        return mnl_attr_ok(at, (int)((const char *)end - (const char *)at)) ? at : NULL;
}

/* The first one of that type from `at` on; NULL: there is none. */
static inline const struct nlattr *nlattr_find_from(const void *at, const void *end, unsigned type) {
        const struct nlattr *attribute = nlattr_at(at, end);

        while (attribute && mnl_attr_get_type(attribute) != type)
                attribute = nlattr_at(mnl_attr_next(attribute), end);
        return attribute;
}

/* The same in a message, behind its header of `header_size` bytes. */
static inline const struct nlattr *nlattr_find(const struct nlmsghdr *message, size_t header_size,
                                               unsigned type) {
        return nlattr_find_from(mnl_nlmsg_get_payload_offset(message, header_size),
                                mnl_nlmsg_get_payload_tail(message), type);
}

/* The same in another attribute, which may be NULL. */
static inline const struct nlattr *nlattr_find_in(const struct nlattr *nest, unsigned type) {
        return nest ? nlattr_find_from(mnl_attr_get_payload(nest), (const char *)nest + nest->nla_len, type)
                    : NULL;
}

/* Its number; 0 for NULL or another size. */
static inline uint32_t nlattr_number(const struct nlattr *attribute) {
        return attribute && mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0 ? mnl_attr_get_u32(attribute)
                                                                            : 0;
}
