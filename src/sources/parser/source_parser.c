/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/parser/source_parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/mtu_spec.h"

/* systemd accepts fractions and sums as sizes as well; an MTU is never written so. */
uint32_t source_value_read(const char *value, enum value_rule rule, const char **ret_unclear) {
        static const char units[] = "BKMG";
        const char *unit = units;
        unsigned long long number;
        char *end;

        *ret_unclear = rule == VALUE_SIZE ? "it is not a number of bytes" : "it is not a number";
        if (strspn(value, "0123456789") == 0)
                return 0;
        errno = 0;
        number = strtoull(value, &end, rule == VALUE_C ? 0 : 10);
        if (rule == VALUE_SIZE) {
                end += strspn(end, " \t");
                unit = *end ? strchr(units, *end) : units;
                end += *end ? 1 : 0;
        }
        if (*end || !unit)
                return 0;
        *ret_unclear = number == 0 ? "it is no MTU" : "it is more than any MTU";
        if (errno || number > INT32_MAX)
                return 0;
        number <<= 10 * (unit - units);
        return number > INT32_MAX ? 0 : (uint32_t)number;
}

void source_add(const struct source_parser *parser, enum value_rule rule, const struct mtu_source *source) {
        struct mtu_source made = *source;

        if (parser->sources->n_items >= SOURCES_MAX) {
                if (!parser->sources->is_cut)
                        source_fail(parser, source->line, "is the one after %u that set an MTU" SOURCE_CUT,
                                    SOURCES_MAX);
                parser->sources->is_cut = true;
                return;
        }
        if (made.match == MATCH_NAME && match_is_template(made.device))
                match_set(&made, MATCH_OTHER,
                          pool_print(source_pool(parser), DEVICE_UNKNOWN "%s", made.device));
        if (!made.inactive)
                made.inactive = parser->inactive;
        if (!made.file)
                made.file = parser->file;
        if (!made.owner)
                made.owner = parser->owner;
        if (made.value && !made.unclear && made.mtu == 0)
                made.mtu = source_value_read(made.value, rule, &made.unclear);
        if (made.mtu > 0)
                made.unclear = NULL;
        if (made.mtu > 0 && made.mtu < MTU_SMALLEST_IPV6 && made.has_ipv6)
                made.mtu = MTU_SMALLEST_IPV6;
        mtu_sources_add(parser->sources, &made);
}

bool source_read_file(const struct source_parser *parser, const char *path, const char **ret_text,
                      size_t *ret_size) {
        return parser->files && parser->files->read(parser->files->userdata, path, ret_text, ret_size);
}

bool source_mentions_mtu(const char *text, size_t size) {
        return memmem(text, size, "mtu", strlen("mtu")) || memmem(text, size, "MTU", strlen("MTU"));
}

const struct mtu_source *source_find(const struct source_parser *parser, const char *device) {
        for (size_t i = parser->sources->n_items; i > parser->first; i--) {
                const struct mtu_source *source = &parser->sources->items[i - 1];

                if (source->match == MATCH_NAME && strcmp(source->device, device) == 0 &&
                    strcmp(source->file, parser->file) == 0)
                        return source;
        }
        return NULL;
}

bool source_inherit(const struct source_parser *parser, const char *parent, struct mtu_source *ret) {
        const struct mtu_source *source = parent ? source_find(parser, parent) : NULL;

        if (!source)
                return false;
        ret->parent = parent;
        ret->value = source->value;
        ret->mtu = source->mtu;
        ret->unclear = source->unclear;
        return true;
}

void source_add_profile(const struct source_parser *parser, const struct mtu_profile *profile) {
        struct mtu_sources *sources = parser->sources;

        if (sources->n_profiles < SOURCES_MAX)
                pool_put(&sources->pool, &sources->profiles, &sources->n_profiles, profile,
                         sizeof(*profile));
}

const char *source_profile_device(const struct source_parser *parser, const char *id) {
        for (size_t i = parser->sources->n_profiles; i > 0; i--) {
                const struct mtu_profile *profile = &parser->sources->profiles[i - 1];

                if (strcmp(profile->id, id) == 0 || (profile->uuid && strcmp(profile->uuid, id) == 0))
                        return profile->device;
        }
        return NULL;
}

struct pool *source_pool(const struct source_parser *parser) {
        return &parser->sources->pool;
}

struct lines source_lines(const struct source_parser *parser, bool joins) {
        return lines_open(source_pool(parser), parser->text, parser->size, joins);
}
