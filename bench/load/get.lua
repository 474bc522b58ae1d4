-- GET of one shipment; the ids are read from a file and taken at random.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "report.lua")

local ids

function init(args)
  ids = read_lines(args[1])
  math.randomseed(os.time())
end

function request()
  return write_request("GET", "/v1/shipments/" .. ids[math.random(#ids)])
end
