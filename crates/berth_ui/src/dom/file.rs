//! Files in and out.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, Element, FileList, HtmlElement};

/// A file that was opened.
pub type Opened = (String, Result<String, TooLarge>);

/// A file beyond the limit, with its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub u64);

/// Reads files as text, in their order, and hands them over together.
pub fn read_files(files: &FileList, limit: u64, done: impl FnOnce(Vec<Opened>) + 'static) {
    let files: Vec<_> = (0..files.length()).filter_map(|index| files.get(index)).collect();
    spawn_local(async move {
        let mut read = Vec::new();
        for file in files {
            let size = file.size() as u64;
            let text = if size > limit {
                Err(TooLarge(size))
            } else {
                let text = JsFuture::from(AsRef::<Blob>::as_ref(&file).text()).await;
                // A file that vanished meanwhile reads as empty.
                Ok(text.ok().and_then(|text| text.as_string()).unwrap_or_default())
            };
            read.push((file.name(), text));
        }
        done(read);
    });
}

/// Saves text as a file, by way of a link beside `from`.
pub fn save(from: &Element, name: &str, text: &str) -> Option<()> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence(&parts).ok()?;
    let url = web_sys::Url::create_object_url_with_blob(&blob).ok()?;
    let link: HtmlElement = from.owner_document()?.create_element("a").ok()?.dyn_into().ok()?;
    link.set_attribute("href", &url).ok()?;
    link.set_attribute("download", name).ok()?;
    link.click();
    web_sys::Url::revoke_object_url(&url).ok()
}
