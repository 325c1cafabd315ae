//! The conformance corpus in the browser: the same answers, byte for byte, as natively.

use berth_tests::golden::{FILES, HASHES, records, run};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn corpus() {
    let hashes = records(HASHES);
    let mut wrong = Vec::new();
    for file in FILES {
        let (hash, want) = (run(*file).hash, hashes.get(file.name));
        if want != Some(&hash.as_str()) {
            wrong.push(format!("{}: the answers are {hash}, natively {want:?}", file.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
