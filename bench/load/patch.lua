-- PATCH with If-Match. The file holds pairs of id and eTag: a request takes the first of the queue, and its answer puts
-- the id back with its new eTag.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "report.lua")

local queue, first, last = {}, 1, 0
local round = 0

local function put(id, etag)
  last = last + 1
  queue[last] = { id, etag }
end

local function take()
  local pair = queue[first]
  if not pair then error("no shipment is left: too many requests failed") end
  queue[first] = nil
  first = first + 1
  return pair[1], pair[2]
end

function init(args)
  for _, line in ipairs(read_lines(args[1])) do put(line:match("^(%S+) (%S+)$")) end
  response = put_back
end

function request()
  local id, etag = take()
  round = round + 1
  local body = '{"estimatedWeight":' .. 1000 + round % 9000 .. ',"customerRemarks":"Call before arrival, round ' .. round .. '."}'
  return write_request("PATCH", "/v1/shipments/" .. id, 'If-Match: "' .. etag .. '"\r\n', body)
end

function put_back(status, _, body)
  if status == 200 then put(body:match('"id":"([^"]+)"'), body:match('"eTag":"([^"]+)"')) end
end
