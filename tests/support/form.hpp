// A form with a file, as a browser sends it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/platform/crypto/crypto.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {

struct Form {
    std::string text;

    Form& field(const std::string& name, const std::string& value) {
        text += "--edge\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
        return *this;
    }
    Form& file(const std::string& name, const std::string& bytes) {
        text += "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
                "\"\r\nContent-Type: application/octet-stream\r\n\r\n" + bytes + "\r\n";
        return *this;
    }
    [[nodiscard]] std::string whole() const { return text + "--edge--\r\n"; }
};

// A PNG of one point.
inline const std::string red_dot =
    crypto::from_base64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DQAAAEgQGALFXOsAAAAABJRU5ErkJggg==")
        .value();

inline Answered upload(TestBase& base, const Form& form, const Visitor& visitor) {
    return base.call("POST", "/media", form.whole(),
                     visitor.with("Content-Type", "multipart/form-data; boundary=edge"));
}

}  // namespace svc::tests
