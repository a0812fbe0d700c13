-- Keeps a server without players busy, as explorers would: every second another column of the map is generated, the first
-- ones stay loaded, and things fall on the ground there.

local column_nodes = 80
local columns_per_row = 16
local kept_columns = 16
local items_each_second = 20

local column = 0
local since_last_s = 0

local function corner_of(number)
    return (number % columns_per_row) * column_nodes, math.floor(number / columns_per_row) * column_nodes
end

minetest.register_globalstep(function(step_s)
    since_last_s = since_last_s + step_s
    if since_last_s < 1 then
        return
    end
    since_last_s = 0

    local x, z = corner_of(column)
    local last = column_nodes - 1
    minetest.emerge_area({x = x, y = -16, z = z}, {x = x + last, y = 63, z = z + last})
    if column < kept_columns then
        minetest.forceload_block({x = x, y = 8, z = z}, true)
    end
    for i = 1, items_each_second do
        minetest.add_item({x = (x + i) % (2 * column_nodes), y = 60, z = z % (2 * column_nodes)}, "default:dirt")
    end
    column = column + 1
end)
