/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/requests_text.h"

#include "base/text.h"
#include "command/table.h"
#include "programs/device_change.h"

static enum table_colour colour_of(enum mtu_request_action action) {
        switch (action) {
        case MTU_REQUEST_SET:
                return TABLE_YELLOW;
        case MTU_REQUEST_KEEP:
                return TABLE_GREEN;
        case MTU_REQUEST_REFUSE:
                return TABLE_RED;
        case MTU_REQUEST_ABSENT:
                break;
        }
        return TABLE_FAINT;
}

static void add_request(struct table *table, const struct mtu_request *request) {
        const struct comparison *comparison = request->comparison;
        char name[TEXT_QUOTE_SIZE], place[DEVICE_CHANGE_PLACE_SIZE];

        table_add(table, TABLE_PLAIN, "  %s",
                  text_show(name, comparison->link ? comparison->link->name : comparison->line->name));
        table_add(table, colour_of(request->action), "%s%s", mtu_request_action_name(request->action),
                  request->set_up ? ", up" : "");
        if (comparison->link)
                table_add(table, TABLE_PLAIN, "%u", comparison->link->mtu);
        else
                table_add(table, TABLE_FAINT, "-");
        if (comparison->wanted > 0)
                table_add(table, TABLE_PLAIN, "-> %u", comparison->wanted);
        else
                table_add(table, TABLE_PLAIN, "-> max");
        table_add(table, TABLE_PLAIN, "%s", request->reason);
        table_add(table, TABLE_FAINT, "%s", device_change_place(place, comparison->line));
}

bool requests_print(const struct mtu_requests *requests) {
        struct table table = { .n_columns = 6, .is_number = { [2] = true } };

        for (size_t i = 0; i < requests->n_items; i++)
                add_request(&table, &requests->items[i]);
        return table_print(&table);
}
