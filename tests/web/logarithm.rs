//! Spread scores rest on a logarithm: in the browser it must be Go's, to the bit.

use wasm_bindgen_test::wasm_bindgen_test;

/// `math.Float64bits(math.Log(n))`, printed by Go.
const GO: [(f64, u64); 8] = [
    (2.0, 0x3fe6_2e42_fefa_39ef),
    (3.0, 0x3ff1_93ea_7aad_030a),
    (5.0, 0x3ff9_c041_f7ed_8d33),
    (7.0, 0x3fff_2272_ae32_5a57),
    (10.0, 0x4002_6bb1_bbb5_5516),
    (102.0, 0x4012_7ff8_df87_c7bd),
    (1000.0, 0x401b_a18a_998f_ffa0),
    (5002.0, 0x4021_0901_f6dc_84b9),
];

#[wasm_bindgen_test]
fn is_the_one_that_go_computes() {
    for (n, bits) in GO {
        assert_eq!(libm::log(n).to_bits(), bits, "log({n})");
    }
}
