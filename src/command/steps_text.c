/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/steps_text.h"

#include "base/text.h"
#include "change/device_change.h"
#include "output/table.h"

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
        const struct device_status *status = request->status;
        char name[TEXT_QUOTE_SIZE], place[CONFIG_LINE_PLACE_SIZE];

        table_add(table, TABLE_PLAIN, "  %s",
                  text_show(name, status->link ? status->link->name : status->line->name));
        table_add(table, colour_of(request->action), "%s%s", mtu_request_action_name(request->action),
                  request->set_up ? ", up" : "");
        if (status->link)
                table_add(table, TABLE_PLAIN, "%u", status->link->mtu);
        else
                table_add(table, TABLE_FAINT, "-");
        if (status->wanted > 0)
                table_add(table, TABLE_PLAIN, "-> %u", status->wanted);
        else
                table_add(table, TABLE_PLAIN, "-> max");
        table_add(table, TABLE_PLAIN, "%s", request->reason);
        table_add(table, TABLE_FAINT, "%s", config_line_place(place, status->line));
}

bool requests_print(const struct mtu_requests *requests) {
        struct table table = { .n_columns = 6, .is_number = { [2] = true } };

        for (size_t i = 0; i < requests->n_items; i++)
                add_request(&table, &requests->items[i]);
        return table_print(&table);
}
