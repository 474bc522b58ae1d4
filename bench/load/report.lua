-- What every script has in common: how a request is written, and the result as one line of JSON.

function read_lines(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

-- Written by hand because wrk.format costs the load generator more than the whole rest of a request.
function write_request(method, path, headers, body)
  local length = body and "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n" or ""
  return method .. " " .. path .. " HTTP/1.1\r\nHost: 127.0.0.1\r\n" .. (headers or "") .. length .. "\r\n" .. (body or "")
end

-- For a script that expects another status than 200; `status_counts` must be a table then.
function count_status(status)
  local name = tostring(status)
  status_counts[name] = (status_counts[name] or 0) + 1
end

-- Threads do not share their variables; there is only one, and setup keeps it for `done`.
local thread_kept
function setup(thread) thread_kept = thread end

function done(summary, latency)
  local errors = summary.errors
  local statuses = {}
  for status, count in pairs(thread_kept:get("status_counts") or {}) do
    statuses[#statuses + 1] = '"' .. status .. '":' .. count
  end
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.6f,"p50":%.3f,"p90":%.3f,"p99":%.3f,"max":%.3f,"bytes":%d,' ..
    '"errorStatuses":%d,"connectionErrors":%d,"statuses":{%s}}',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    summary.bytes, errors.status, errors.connect + errors.read + errors.write + errors.timeout, table.concat(statuses, ",")))
end
