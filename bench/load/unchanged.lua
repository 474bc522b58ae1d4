-- GET with an If-None-Match that names the current version: answered 304 without a body. The file holds pairs of id and eTag.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "report.lua")

local lines
status_counts = {}

function init(args)
  lines = read_lines(args[1])
  math.randomseed(os.time())
end

function request()
  local id, etag = lines[math.random(#lines)]:match("^(%S+) (%S+)$")
  return write_request("GET", "/v1/shipments/" .. id, 'If-None-Match: "' .. etag .. '"\r\n')
end

response = count_status
