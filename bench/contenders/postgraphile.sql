-- PostGraphile offers one table per mutation; a function is its documented way to write two in one transaction.
CREATE SCHEMA IF NOT EXISTS contender;
CREATE OR REPLACE FUNCTION contender.submit_shipment(fields jsonb) RETURNS public.shipments LANGUAGE plpgsql AS $$
  DECLARE
    shipment public.shipments := jsonb_populate_record(NULL::public.shipments, fields);
  BEGIN
    INSERT INTO public.moves (id, move_code)
      SELECT uuidv7(), string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 1 + floor(32 * random())::int, 1), '')
      FROM generate_series(1, 6)
      RETURNING id INTO shipment.move_id;
    INSERT INTO public.shipments (
      id, move_id, status, shipment_type, pickup_date, delivery_date, estimated_weight, customer_remarks,
      pickup_address_id, pickup_address_street_address1, pickup_address_city, pickup_address_state,
      pickup_address_postal_code, pickup_address_country,
      destination_address_id, destination_address_street_address1, destination_address_city, destination_address_state,
      destination_address_postal_code, destination_address_country
    ) VALUES (
      uuidv7(), shipment.move_id, 'SUBMITTED', shipment.shipment_type, shipment.pickup_date, shipment.delivery_date,
      shipment.estimated_weight, shipment.customer_remarks,
      uuidv7(), shipment.pickup_address_street_address1, shipment.pickup_address_city, shipment.pickup_address_state,
      shipment.pickup_address_postal_code, shipment.pickup_address_country,
      uuidv7(), shipment.destination_address_street_address1, shipment.destination_address_city,
      shipment.destination_address_state, shipment.destination_address_postal_code, shipment.destination_address_country
    ) RETURNING * INTO shipment;
    RETURN shipment;
  END
$$;
COMMENT ON FUNCTION contender.submit_shipment IS '@name submitShipment
@resultFieldName shipment';
