import type { Address, Agent, Service, Shipment } from '@waybill/client';
import { t } from '../texts/texts.js';

type Found = Shipment & { readonly agents?: readonly Agent[]; readonly services?: readonly Service[] };

/** Where a shipment has the words that were searched for, in words for people. The service decides what is found; this explains it. */
export function placesOf(shipment: Found, searched: string): string[] {
  const words = wordsOf(searched);
  const places = Object.entries(textsOf(shipment)) as [Place, readonly (string | null | undefined)[]][];
  return places.flatMap(([place, texts]) => {
    const own = wordsOf(texts.filter((text) => typeof text === 'string').join(' '));
    return words.some((word) => own.some((each) => each.startsWith(word))) ? [t.list.places[place]] : [];
  });
}

type Place = keyof typeof t.list.places;

function textsOf(shipment: Found): Record<Place, readonly (string | null | undefined)[]> {
  const { agents = [], services = [], move } = shipment;
  return {
    code: [shipment.shipmentCode],
    order: [move?.orderID],
    type: [shipment.shipmentType],
    from: linesOf(shipment.pickupAddress),
    to: linesOf(shipment.destinationAddress),
    remarks: [shipment.customerRemarks, shipment.rejectionReason, move?.remarks],
    agent: agents.flatMap(({ firstName, lastName, email, phone }) => [
      firstName,
      lastName,
      email,
      phone,
      phone?.replace(/\D/g, ''),
    ]),
    service: services.map(({ code }) => code),
  };
}

function linesOf(address: Address | null): readonly (string | null)[] {
  if (address === null) return [];
  const { streetAddress1, streetAddress2, streetAddress3, city, state, postalCode, country } = address;
  return [streetAddress1, streetAddress2, streetAddress3, city, state, postalCode, country];
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** The words of a text, nearly as the service compares them. */
function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
