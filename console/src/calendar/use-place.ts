import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { daysOf, firstDayOfWeek, isDay, type Span } from '../model/days.js';
import type { DateField } from '../model/list-query.js';
import { useToday } from '../components/Moment.js';
import { formats } from '../texts/region.js';

/** The part of the calendar that is shown, kept in the URL. */
interface Place {
  readonly field: DateField;
  readonly span: Span;
  readonly day: string;
}

export function usePlace() {
  const today = useToday();
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('day') ?? '';
  const day = isDay(asked) ? asked : today;
  const span: Span = parameters.get('span') === 'week' ? 'week' : 'month';
  const field: DateField = parameters.get('by') === 'pickup' ? 'pickupDate' : 'deliveryDate';
  const { locale } = formats.day.resolvedOptions();
  const days = useMemo(() => daysOf(span, day, firstDayOfWeek(locale)), [span, day, locale]);
  const show = (next: Partial<Place>) => {
    const place = { field, span, day, ...next };
    const by = place.field === 'pickupDate' ? 'pickup' : 'delivery';
    setParameters({ by, span: place.span, day: place.day });
  };
  return { field, span, day, days, today, show };
}
