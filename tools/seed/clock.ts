export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Records share their days by the thousand, and to write a day out takes longer than all the rest of a moment. */
const days = new Map<number, string>();

export function calendarDay(moment: number): string {
  const number = Math.floor(moment / DAY);
  let day = days.get(number);
  if (day === undefined) {
    day = new Date(number * DAY).toISOString().slice(0, 10);
    days.set(number, day);
  }
  return day;
}

/** A moment as PostgreSQL and the API both read it. */
export function iso(moment: number): string {
  const inDay = moment % DAY;
  const hours = twoDigits(inDay / HOUR);
  const minutes = twoDigits((inDay / 60_000) % 60);
  const seconds = twoDigits((inDay / 1000) % 60);
  return `${calendarDay(moment)}T${hours}:${minutes}:${seconds}.${String(inDay % 1000).padStart(3, '0')}Z`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${Math.floor(number)}` : `${Math.floor(number)}`;
}
