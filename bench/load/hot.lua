-- PATCH of a few rows by many connections that all use the newest eTag they have heard of: one wins, the others get 412.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "report.lua")

local ids, etags, round = {}, {}, 0
status_counts = {}

function init(args)
  for index, line in ipairs(read_lines(args[1])) do
    local id, etag = line:match("^(%S+) (%S+)$")
    ids[index] = id
    etags[id] = etag
  end
  math.randomseed(os.time())
end

function request()
  round = round + 1
  local id = ids[math.random(#ids)]
  local body = '{"estimatedWeight":' .. 1000 + round % 9000 .. "}"
  return write_request("PATCH", "/v1/shipments/" .. id, 'If-Match: "' .. etags[id] .. '"\r\n', body)
end

function response(status, _, body)
  count_status(status)
  if status == 200 then
    etags[body:match('"id":"([^"]+)"')] = body:match('"eTag":"([^"]+)"')
  elseif status == 412 then
    local id = body:match('"instance":"[^"]*/([^"/]+)"')
    local current = body:match('"currentETag":"([^"]+)"')
    if id and current then etags[id] = current end
  end
end
